//! Keeps the prepared statements of queries whose text never varies, where diesel cannot know that it does not.

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

/// The same for a query that runs all the time: found again by the mark `M`, without its text being written each time.
/// One mark stands for one text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marked<M, Q>(pub M, pub Q);

impl<DB: Backend, M, Q: QueryFragment<DB>> QueryFragment<DB> for Marked<M, Q> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.1.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<M, Q: Query> Query for Marked<M, Q> {
    type SqlType = Q::SqlType;
}

impl<M: 'static, Q> QueryId for Marked<M, Q> {
    type QueryId = Marked<M, ()>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<M, Q, C> diesel::RunQueryDsl<C> for Marked<M, Q> {}
