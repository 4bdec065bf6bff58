//! `id IN (…)` as one statement for lists of any length, so that its prepared statement is kept: SQLite has no arrays,
//! and `IN (?, ?, …)` is another statement for each length.

use diesel::expression::{AppearsOnTable, Expression, ValidGrouping};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{Bool, Text};
use uuid::fmt::Simple;

use super::Db;
use crate::store::sql_type::{Id, UuidSql};

/// Whether the id in a column is in a list. Made by the macro `among!`.
#[derive(Clone, Debug, QueryId)]
pub(super) struct Among<C> {
    column: C,
    /// A JSON array of hexadecimal ids, which SQLite's `json_each` turns into rows.
    ids: String,
}

impl<C: Expression<SqlType = UuidSql>> Among<C> {
    pub(super) fn new(column: C, ids: impl IntoIterator<Item = Id>) -> Self {
        let mut list = String::from("[");
        for (nth, id) in ids.into_iter().enumerate() {
            let mut digits = [0; Simple::LENGTH];
            list.push_str(if nth == 0 { "\"" } else { ",\"" });
            list.push_str(id.0.simple().encode_lower(&mut digits));
            list.push('"');
        }
        list.push(']');
        Self { column, ids: list }
    }
}

impl<C: Expression> Expression for Among<C> {
    type SqlType = Bool;
}

impl<C: AppearsOnTable<T>, T> AppearsOnTable<T> for Among<C> {}

impl<C: ValidGrouping<G>, G> ValidGrouping<G> for Among<C> {
    type IsAggregate = C::IsAggregate;
}

impl<C: QueryFragment<Db>> QueryFragment<Db> for Among<C> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        self.column.walk_ast(out.reborrow())?;
        out.push_sql(" IN (SELECT unhex(value) FROM json_each(");
        out.push_bind_param::<Text, _>(&self.ids)?;
        out.push_sql("))");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use diesel::connection::InstrumentationEvent;
    use uuid::Uuid;

    use super::*;
    use crate::store::sqlite::Conn;

    diesel::table! {
        use diesel::sql_types::Integer;
        use crate::store::sql_type::UuidSql;

        things (id) {
            id -> UuidSql,
            number -> Integer,
        }
    }

    #[test]
    fn list_of_any_length_finds_its_rows_with_one_statement() {
        let mut connection = Conn::establish(":memory:").expect("a database");
        let table = "CREATE TABLE things (id BLOB NOT NULL PRIMARY KEY, number INTEGER NOT NULL) STRICT";
        diesel::sql_query(table).execute(&mut connection).expect("SQL");
        let id = |number: i32| Id(Uuid::from_u128(u128::MAX / u128::from(number.unsigned_abs())));
        for number in 1..=5 {
            let thing = (things::id.eq(id(number)), things::number.eq(number));
            diesel::insert_into(things::table).values(thing).execute(&mut connection).expect("a row");
        }
        let kept = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&kept);
        connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::CacheQuery { .. } = event {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        for numbers in [&[][..], &[3], &[5, 1], &[9, 2, 4, 4, 8]] {
            let among = Among::new(things::id, numbers.iter().map(|&number| id(number)));
            let found = things::table.filter(among).order(things::number).select(things::number);
            let found: Vec<i32> = found.load(&mut connection).expect("rows");
            let wanted: Vec<i32> = (1..=5).filter(|number| numbers.contains(number)).collect();
            assert_eq!(found, wanted);
        }
        assert_eq!(kept.load(Ordering::Relaxed), 1, "statements were read");
    }
}
