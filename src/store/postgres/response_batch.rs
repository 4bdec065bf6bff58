//! Stores the responses of keyed requests, many in one transaction, which does not wait for its flush to disk.
//!
//! Called by [`Store::store_outcome`](crate::store::Store::store_outcome). Losing a response in a crash of PostgreSQL is safe:
//! the claim of its key was flushed with the card before (decisions, section 4).

use diesel_async::AsyncPgConnection;
use futures_util::FutureExt as _;
use tokio::sync::{mpsc, oneshot};

use super::pool::{Connections, settle};
use super::transaction::{self, Statement};
use super::{Postgres, QueryConn, queries};
use crate::base::{ErrorChain, limits};
use crate::store::error::Outage;
use crate::store::{IdempotencyKey, IdempotencyOutcome, StoreError};

/// The queue of responses; cheap to clone.
#[derive(Clone)]
pub(super) struct ResponseBatches {
    queue: mpsc::Sender<(StoredOutcome, Caller)>,
}

/// An outcome to store under its key.
type StoredOutcome = (IdempotencyKey, IdempotencyOutcome);

/// The caller that waits until its response is stored.
type Caller = oneshot::Sender<Result<(), StoreError>>;

impl ResponseBatches {
    /// Starts the task that stores them over connections of the pool, until the last clone is dropped.
    pub(super) fn start(connections: Connections) -> Self {
        let (queue, mut responses) = mpsc::channel(limits::RESPONSES_PER_COMMIT_MAX);
        tokio::spawn(async move {
            let mut batch = Vec::new();
            while responses.recv_many(&mut batch, limits::RESPONSES_PER_COMMIT_MAX).await > 0 {
                let (responses, callers): (Vec<StoredOutcome>, Vec<Caller>) = batch.drain(..).unzip();
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
    /// Stores a response as `queries::store_outcome` does.
    pub(in crate::store) async fn store_outcome(
        &self,
        key: IdempotencyKey,
        outcome: IdempotencyOutcome,
    ) -> Result<(), StoreError> {
        let (stored, result) = oneshot::channel();
        let stopped = || StoreError::from(Outage::WriterStopped);
        self.responses.queue.send(((key, outcome), stored)).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }
}

async fn store(connections: &Connections, mut responses: Vec<StoredOutcome>) -> Result<(), StoreError> {
    // In one order on every replica, so that two batches cannot deadlock.
    responses.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let mut held = connections.take().await?;
    let since = held.since();
    let stored = connections.bounded(since, store_together(&mut held, responses)).await;
    settle(held, stored)
}

async fn store_together(connection: &mut AsyncPgConnection, responses: Vec<StoredOutcome>) -> Result<(), StoreError> {
    transaction::open(connection)?;
    let updated = update(connection, responses).await;
    transaction::close(connection, updated.map(Some)).await?;
    Ok(())
}

async fn update(c: QueryConn<'_>, responses: Vec<StoredOutcome>) -> Result<(), StoreError> {
    let mut statements: Vec<Statement<'_>> =
        vec![transaction::statement(c, "BEGIN"), transaction::statement(c, "SET LOCAL synchronous_commit = off")];
    for (key, outcome) in responses {
        statements.push(async move { queries::store_outcome(&mut { c }, key, outcome).await }.boxed());
    }
    statements.push(transaction::statement(c, "COMMIT"));
    transaction::send(statements).await
}
