//! Keeps the prepared statements of updates and upserts, which diesel prepares again at each call, and finds them without
//! writing their SQL.

use std::marker::PhantomData;

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
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
/// [`prepared!`].
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

impl<P, DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for PlacedQuery<P, Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.query.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, backend: &DB) -> QueryResult<bool> {
        self.query.is_safe_to_cache_prepared(backend)
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

/// Keeps a query prepared whose SQL is the same at every call of this place: only bound values vary.
macro_rules! prepared {
    ($query:expr) => {{
        enum Place {}
        $crate::store::prepared_query::PlacedQuery::<Place, _>::new($query)
    }};
}

pub(super) use prepared;
