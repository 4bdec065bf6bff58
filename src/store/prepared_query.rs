//! Keeps the prepared statements of updates and upserts, which diesel prepares again at each call.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;

/// A query whose SQL is the same at every call. Diesel cannot know that of an UPDATE, whose changeset may vary;
/// preparing it again costs PostgreSQL a round trip and a plan.
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
