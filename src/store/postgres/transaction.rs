//! Transactions whose statements are sent together, so that BEGIN and COMMIT take no round trip of their own.
//!
//! Called by `card_create.rs` and `outcome_batch.rs`. PostgreSQL runs the statements in the order in which they are sent,
//! and COMMIT rolls back if one of them failed there.

use std::future::poll_fn;
use std::task::Poll;

use diesel::connection::TransactionDepthChange;
use diesel_async::{AsyncPgConnection, RunQueryDsl, TransactionManager};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::{Manager, QueryConn};
use crate::store::StoreError;
use crate::store::prepared_query::PreparedQuery;

/// A future that sends exactly one statement, when it is first polled.
pub(super) type Statement<'a> = BoxFuture<'a, Result<(), StoreError>>;

/// Marks the connection as inside a transaction, before BEGIN is sent. Until [`close`] the pool drops the connection if it
/// is returned.
pub(super) fn open(connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
    change_depth(connection, TransactionDepthChange::IncreaseDepth)
}

/// Marks the connection as outside a transaction after COMMIT; rolls back if `out` holds an error or `None`.
pub(super) async fn close<T>(
    connection: &mut AsyncPgConnection,
    out: Result<Option<T>, StoreError>,
) -> Result<Option<T>, StoreError> {
    match out {
        Ok(Some(_)) => change_depth(connection, TransactionDepthChange::DecreaseDepth)?,
        Ok(None) => Manager::rollback_transaction(connection).await?,
        Err(_) => drop(Manager::rollback_transaction(connection).await), // an error: the pool drops the connection
    }
    out
}

fn change_depth(connection: &mut AsyncPgConnection, change: TransactionDepthChange) -> Result<(), StoreError> {
    Ok(Manager::transaction_manager_status_mut(connection).transaction_state()?.change_transaction_depth(change)?)
}

/// A statement without parameters, which the connection keeps prepared.
pub(super) fn statement<'a>(mut c: QueryConn<'a>, sql: &'static str) -> Statement<'a> {
    let run = async move {
        PreparedQuery(diesel::sql_query(sql)).execute(&mut c).await?;
        Ok(())
    };
    run.boxed()
}

/// Sends the statements together, in their order, and waits for all of them. A statement that cannot be sent ends it: the
/// ones after it are not sent either, and the last one is COMMIT.
pub(super) async fn send(mut statements: Vec<Statement<'_>>) -> Result<(), StoreError> {
    poll_fn(|context| {
        let mut next = 0;
        while let Some(statement) = statements.get_mut(next) {
            match statement.as_mut().poll(context) {
                Poll::Ready(Ok(())) => drop(statements.remove(next)),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => next += 1,
            }
        }
        if statements.is_empty() { Poll::Ready(Ok(())) } else { Poll::Pending }
    })
    .await
}
