//! `diesel_async::RunQueryDsl` over a plain connection: the statement runs at once, and the future is ready.

use std::future::{Ready, ready};

use diesel::prelude::*;
use diesel::query_dsl::methods::{ExecuteDsl, LoadQuery};

use super::Conn;

/// Runs queries. Called by `queries/`, which see either this trait or diesel-async's.
pub(super) trait RunQueryDsl: Sized {
    fn execute(self, connection: &mut Conn) -> Ready<QueryResult<usize>>
    where
        Self: diesel::RunQueryDsl<Conn> + ExecuteDsl<Conn>,
    {
        ready(diesel::RunQueryDsl::execute(self, connection))
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
