//! The methods of `diesel_async::RunQueryDsl` with boxed futures. The type of diesel-async's own future names every column of
//! its row, and the compiler proves its bounds at each call: seconds for a row of thirty columns.

use diesel::QueryResult;
use diesel_async::methods::{ExecuteDsl, LoadQuery};
use futures_util::future::{BoxFuture, TryFutureExt as _};

use super::QueryConn;

/// Runs queries. `queries.rs` uses either this trait or the one of SQLite.
pub(super) trait RunQueryDsl: Sized {
    /// Runs a statement that returns no rows.
    fn perform<'q, 'a: 'q>(self, connection: &'q mut QueryConn<'a>) -> BoxFuture<'q, QueryResult<()>>
    where
        Self: ExecuteDsl<QueryConn<'a>> + 'q,
    {
        Box::pin(diesel_async::RunQueryDsl::execute(self, connection).map_ok(|_| ()))
    }

    /// Runs a statement that returns no rows. Returns how many it wrote.
    fn execute<'q, 'a: 'q>(self, connection: &'q mut QueryConn<'a>) -> BoxFuture<'q, QueryResult<usize>>
    where
        Self: ExecuteDsl<QueryConn<'a>> + 'q,
    {
        Box::pin(diesel_async::RunQueryDsl::execute(self, connection))
    }

    fn load<'q, 'a: 'q, U>(self, connection: &'q mut QueryConn<'a>) -> BoxFuture<'q, QueryResult<Vec<U>>>
    where
        Self: LoadQuery<'q, QueryConn<'a>, U> + 'q,
        U: Send + 'q,
    {
        Box::pin(diesel_async::RunQueryDsl::load(self, connection))
    }

    fn get_result<'q, 'a: 'q, U>(self, connection: &'q mut QueryConn<'a>) -> BoxFuture<'q, QueryResult<U>>
    where
        Self: LoadQuery<'q, QueryConn<'a>, U> + 'q,
        U: Send + 'q,
    {
        Box::pin(diesel_async::RunQueryDsl::get_result(self, connection))
    }
}

impl<T> RunQueryDsl for T {}
