//! The methods of `diesel_async::RunQueryDsl` for a synchronous connection: the statement runs at once, and the future
//! is ready.

use std::future::{Ready, ready};

use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::Integer;

use super::{Conn, Db};

/// Runs queries. `queries.rs` uses either this trait or diesel-async's.
pub(super) trait RunQueryDsl: Sized {
    /// Runs a statement that returns no rows.
    fn perform(self, connection: &mut Conn) -> Ready<QueryResult<()>>
    where
        Self: QueryFragment<Db> + QueryId,
    {
        ready(run(self, connection))
    }

    /// Runs a statement that returns no rows. Returns how many it wrote, which takes another statement.
    fn execute(self, connection: &mut Conn) -> Ready<QueryResult<usize>>
    where
        Self: QueryFragment<Db> + QueryId,
    {
        ready(run(self, connection).and_then(|()| rows_written(connection)))
    }

    fn load<'q, U>(self, connection: &mut Conn) -> Ready<QueryResult<Vec<U>>>
    where
        Self: LoadQuery<'q, Conn, U>,
    {
        ready(diesel::RunQueryDsl::load(self, connection))
    }

    fn get_result<'q, U>(self, connection: &mut Conn) -> Ready<QueryResult<U>>
    where
        Self: LoadQuery<'q, Conn, U>,
    {
        ready(diesel::RunQueryDsl::get_result(self, connection))
    }
}

impl<T> RunQueryDsl for T {}

/// Runs a statement that returns no rows.
///
/// Diesel's own `execute` does not ask the query itself whether its prepared statement may be kept, so it ignores
/// [`prepared!`](crate::store::prepared_query) and prepares each UPDATE again. `load` does.
pub(super) fn run(statement: impl QueryFragment<Db> + QueryId, connection: &mut Conn) -> QueryResult<()> {
    let rows: Vec<i32> = diesel::RunQueryDsl::load(Statement(statement), connection)?;
    debug_assert!(rows.is_empty(), "a statement that is run returns no rows");
    Ok(())
}

fn rows_written(connection: &mut Conn) -> QueryResult<usize> {
    let changes: i32 = diesel::RunQueryDsl::get_result(diesel::select(changes()), connection)?;
    usize::try_from(changes).map_err(|error| diesel::result::Error::DeserializationError(error.into()))
}

diesel::define_sql_function! {
    /// Returns how many rows the last INSERT, UPDATE or DELETE of this connection wrote.
    fn changes() -> Integer;
}

/// A statement that is loaded like a query. It returns no rows; their type is a number.
struct Statement<Q>(Q);

impl<Q: QueryFragment<Db>> QueryFragment<Db> for Statement<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, backend: &Db) -> QueryResult<bool> {
        self.0.is_safe_to_cache_prepared(backend)
    }
}

impl<Q: QueryId> QueryId for Statement<Q> {
    type QueryId = Q::QueryId;
    const HAS_STATIC_QUERY_ID: bool = Q::HAS_STATIC_QUERY_ID;
}

impl<Q> Query for Statement<Q> {
    type SqlType = Integer;
}

impl<Q> diesel::RunQueryDsl<Conn> for Statement<Q> {}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use diesel::connection::{Instrumentation, InstrumentationEvent};

    use super::*;
    use crate::store::prepared_query::prepared;

    diesel::table! {
        lines (id) {
            id -> Integer,
            text -> Text,
        }
    }

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<String>>>);

    impl Instrumentation for Kept {
        fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
            if let InstrumentationEvent::CacheQuery { sql, .. } = event {
                self.0.lock().expect("nobody panics").push(sql.to_owned());
            }
        }
    }

    #[test]
    fn statement_that_is_run_again_and_again_is_parsed_once_and_counts_its_rows() {
        let mut connection = Conn::establish(":memory:").expect("a database");
        run(diesel::sql_query("CREATE TABLE lines (id INTEGER PRIMARY KEY, text TEXT)"), &mut connection).expect("SQL");
        let kept = Kept::default();
        connection.set_instrumentation(kept.clone());
        let execute = |done: Ready<QueryResult<usize>>| done.into_inner().expect("the statement runs");
        for id in 1..=3 {
            let line = (lines::id.eq(id), lines::text.eq("a"));
            assert_eq!(
                execute(RunQueryDsl::execute(diesel::insert_into(lines::table).values(line), &mut connection)),
                1
            );
        }
        for (after, rows) in [(0, 3), (1, 2), (3, 0)] {
            let some = lines::table.filter(lines::id.gt(after));
            let update = prepared!(diesel::update(some).set(lines::text.eq("b")));
            assert_eq!(execute(RunQueryDsl::execute(update, &mut connection)), rows);
        }
        let kept = kept.0.lock().expect("nobody panics");
        for verb in ["INSERT", "UPDATE", "SELECT changes()"] {
            assert_eq!(kept.iter().filter(|sql| sql.starts_with(verb)).count(), 1, "{kept:?}");
        }
    }
}
