//! Keeps the prepared statements of updates and upserts, which diesel prepares again at each call, and finds them without
//! writing their SQL.

use std::any::TypeId;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{LazyLock, Mutex, PoisonError};

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryBuilder as _, QueryFragment, QueryId};
use diesel::result::QueryResult;

/// A query that stays prepared, and is found by its SQL. Diesel prepares each UPDATE again, since its changeset may vary,
/// which costs PostgreSQL a round trip and a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedQuery<Q>(pub Q);

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for PreparedQuery<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q: Query> Query for PreparedQuery<Q> {
    type SqlType = Q::SqlType;
}

impl<Q> QueryId for PreparedQuery<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false; // the statement is found by its SQL
}

impl<Q, C> diesel::RunQueryDsl<C> for PreparedQuery<Q> {}

/// A prepared query that is found by its place in the code, so that its SQL is written once for each connection. Made by
/// [`prepared!`]. A debug build panics if a place runs a second SQL text.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedQuery<P, Q> {
    query: PreparedQuery<Q>,
    place: PhantomData<P>,
}

impl<P, Q> PlacedQuery<P, Q> {
    pub(super) fn new(query: Q) -> Self {
        Self { query: PreparedQuery(query), place: PhantomData }
    }
}

impl<P: 'static, DB, Q: QueryFragment<DB>> QueryFragment<DB> for PlacedQuery<P, Q>
where
    DB: Backend<QueryBuilder: Default>,
{
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.query.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, backend: &DB) -> QueryResult<bool> {
        if cfg!(debug_assertions) {
            let mut sql = DB::QueryBuilder::default();
            self.query.to_sql(&mut sql, backend)?;
            check_place(TypeId::of::<P>(), sql.finish());
        }
        self.query.is_safe_to_cache_prepared(backend)
    }
}

/// Panics if another SQL text was run at this place: the connection would run the statement that it has prepared.
fn check_place(place: TypeId, sql: String) {
    static PLACES: LazyLock<Mutex<HashMap<TypeId, String>>> = LazyLock::new(Mutex::default);
    let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    let first = places.entry(place).or_insert_with(|| sql.clone());
    assert_eq!(*first, sql, "`prepared!` ran two SQL texts at one place");
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
        $crate::store::prepared_query::PlacedQuery::<Place, _>::new($query)
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
