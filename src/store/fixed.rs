//! Keeps the prepared statement of an UPDATE whose text never varies.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;

/// A query whose text is the same at every call. Diesel never keeps an UPDATE's prepared statement, because the text of
/// a changeset may vary: that costs PostgreSQL a second round trip and a plan each time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed<Q>(pub Q);

impl<DB: Backend, Q: QueryFragment<DB>> QueryFragment<DB> for Fixed<Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q: Query> Query for Fixed<Q> {
    type SqlType = Q::SqlType;
}

impl<Q> QueryId for Fixed<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false; // kept by its text
}

impl<Q, C> diesel::RunQueryDsl<C> for Fixed<Q> {}
