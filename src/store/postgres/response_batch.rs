//! Stores the responses of keyed requests, many in one transaction, which does not wait for its flush to disk.
//!
//! Called by [`Store::bind_request`](crate::store::Store::bind_request). Losing a response in a crash of PostgreSQL is safe:
//! the record that binds its key to the card was flushed before (decisions, section 4).

use diesel_async::AsyncPgConnection;
use futures_util::FutureExt as _;
use tokio::sync::{mpsc, oneshot};

use super::pool::{Connections, settle};
use super::transaction::{self, Statement};
use super::{Postgres, QueryConn, queries};
use crate::base::{ErrorChain, limits};
use crate::store::error::Outage;
use crate::store::{IdempotencyKey, StoreError};

/// The queue of responses; cheap to clone.
#[derive(Clone)]
pub(super) struct ResponseBatches {
    queue: mpsc::Sender<(StoredResponse, Caller)>,
}

/// A response to store.
struct StoredResponse {
    key: IdempotencyKey,
    fingerprint: [u8; 32],
    response: String,
}

/// The caller that waits until its response is stored.
type Caller = oneshot::Sender<Result<(), StoreError>>;

impl ResponseBatches {
    /// Starts the task that stores them over connections of the pool, until the last clone is dropped.
    pub(super) fn start(connections: Connections) -> Self {
        let (queue, mut responses) = mpsc::channel(limits::RESPONSES_PER_COMMIT_MAX);
        tokio::spawn(async move {
            let mut batch = Vec::new();
            while responses.recv_many(&mut batch, limits::RESPONSES_PER_COMMIT_MAX).await > 0 {
                let (responses, callers): (Vec<StoredResponse>, Vec<Caller>) = batch.drain(..).unzip();
                let result = store(&connections, responses).await.map_err(|error| ErrorChain(&error).to_string());
                for caller in callers {
                    let result = result.clone().map_err(|reason| Outage::BatchLost(reason).into());
                    let _ = caller.send(result); // an error: the caller dropped its future
                }
            }
        });
        Self { queue }
    }
}

impl Postgres {
    /// Stores a response as `queries::bind_request` does.
    pub(in crate::store) async fn bind_request(
        &self,
        key: IdempotencyKey,
        fingerprint: [u8; 32],
        response: String,
    ) -> Result<(), StoreError> {
        let (stored, result) = oneshot::channel();
        let stopped = || StoreError::from(Outage::WriterStopped);
        let response = StoredResponse { key, fingerprint, response };
        self.responses.queue.send((response, stored)).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }
}

async fn store(connections: &Connections, mut responses: Vec<StoredResponse>) -> Result<(), StoreError> {
    // In one order on every replica, so that two batches cannot deadlock.
    responses.sort_unstable_by(|a, b| a.key.cmp(&b.key));
    let mut held = connections.take().await?;
    let since = held.since();
    let stored = connections.bounded(since, store_together(&mut held, responses)).await;
    settle(held, stored)
}

async fn store_together(connection: &mut AsyncPgConnection, responses: Vec<StoredResponse>) -> Result<(), StoreError> {
    transaction::open(connection)?;
    let updated = update(connection, responses).await;
    transaction::close(connection, updated.map(Some)).await?;
    Ok(())
}

async fn update(c: QueryConn<'_>, responses: Vec<StoredResponse>) -> Result<(), StoreError> {
    let mut statements: Vec<Statement<'_>> =
        vec![transaction::statement(c, "BEGIN"), transaction::statement(c, "SET LOCAL synchronous_commit = off")];
    for StoredResponse { key, fingerprint, response } in responses {
        statements.push(async move { queries::bind_request(&mut { c }, key, fingerprint, response).await }.boxed());
    }
    statements.push(transaction::statement(c, "COMMIT"));
    transaction::send(statements).await
}
