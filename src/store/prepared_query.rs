//! Keeps statements prepared, and finds them without writing their SQL. Diesel prepares each UPDATE and upsert again, since its
//! changeset may vary, which costs PostgreSQL a round trip and a plan.

use std::marker::PhantomData;
use std::sync::OnceLock;

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryBuilder as _, QueryFragment, QueryId};
use diesel::result::QueryResult;

/// A prepared query that is found by its place in the code, where its SQL is written once. Made by [`prepared!`]. A debug build
/// panics if a place runs a second SQL text.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedQuery<P, Q> {
    query: Q,
    sql: &'static OnceLock<String>,
    place: PhantomData<P>,
}

impl<P, Q> PlacedQuery<P, Q> {
    pub(super) fn new(query: Q, sql: &'static OnceLock<String>) -> Self {
        Self { query, sql, place: PhantomData }
    }
}

impl<P, DB, Q: QueryFragment<DB>> QueryFragment<DB> for PlacedQuery<P, Q>
where
    DB: Backend<QueryBuilder: Default>,
{
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.query.walk_ast(out)
    }

    /// Diesel-async asks for the SQL at every call.
    fn to_sql(&self, out: &mut DB::QueryBuilder, backend: &DB) -> QueryResult<()> {
        let sql = match self.sql.get() {
            Some(sql) if !cfg!(debug_assertions) => sql,
            _ => {
                let mut written = DB::QueryBuilder::default();
                self.query.to_sql(&mut written, backend)?;
                let written = written.finish();
                let sql = self.sql.get_or_init(|| written.clone());
                // The connection would run the statement that it has prepared.
                assert_eq!(*sql, written, "`prepared!` ran two SQL texts at one place");
                sql
            }
        };
        out.push_sql(sql);
        Ok(())
    }

    fn is_safe_to_cache_prepared(&self, backend: &DB) -> QueryResult<bool> {
        if cfg!(debug_assertions) {
            self.to_sql(&mut DB::QueryBuilder::default(), backend)?;
        }
        Ok(true)
    }
}

impl<P, Q: Query> Query for PlacedQuery<P, Q> {
    type SqlType = Q::SqlType;
}

impl<P: 'static, Q> QueryId for PlacedQuery<P, Q> {
    type QueryId = P;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<P, Q, C> diesel::RunQueryDsl<C> for PlacedQuery<P, Q> {}

/// Keeps a query prepared whose SQL is the same at every call of this place: only bound values vary. A SELECT needs it for speed
/// alone: diesel asks each of its columns at every call whether the statement may be kept.
macro_rules! prepared {
    ($query:expr) => {{
        enum Place {}
        static SQL: std::sync::OnceLock<String> = std::sync::OnceLock::new();
        $crate::store::prepared_query::PlacedQuery::<Place, _>::new($query, &SQL)
    }};
}

pub(super) use prepared;

#[cfg(test)]
mod tests {
    use diesel::sql_types::Integer;
    use diesel::sqlite::SqliteConnection;
    use diesel::{Connection as _, RunQueryDsl as _};

    #[test]
    #[should_panic(expected = "two SQL texts at one place")]
    fn place_with_two_sql_texts_panics() {
        let mut connection = SqliteConnection::establish(":memory:").expect("a database");
        for number in ["1", "2"] {
            let query = prepared!(diesel::select(diesel::dsl::sql::<Integer>(number)));
            let _: i32 = query.get_result(&mut connection).expect("a number");
        }
    }
}
