//! Stores the outcomes of keyed requests, many in one transaction, which does not wait for its flush to disk.
//!
//! Called by [`Store::store_outcome`](crate::store::Store::store_outcome). Losing an outcome in a crash of PostgreSQL is safe:
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

/// The queue of outcomes; cheap to clone.
#[derive(Clone)]
pub(super) struct OutcomeBatches {
    queue: mpsc::Sender<(StoredOutcome, Caller)>,
}

/// An outcome to store under its key.
type StoredOutcome = (IdempotencyKey, IdempotencyOutcome);

/// The caller that waits until its outcome is stored.
type Caller = oneshot::Sender<Result<(), StoreError>>;

impl OutcomeBatches {
    /// Starts the task that stores them over connections of the pool, until the last clone is dropped.
    pub(super) fn start(connections: Connections) -> Self {
        let (queue, mut outcomes) = mpsc::channel(limits::OUTCOMES_PER_COMMIT_MAX);
        tokio::spawn(async move {
            let mut batch = Vec::new();
            while outcomes.recv_many(&mut batch, limits::OUTCOMES_PER_COMMIT_MAX).await > 0 {
                let (outcomes, callers): (Vec<StoredOutcome>, Vec<Caller>) = batch.drain(..).unzip();
                let result = store(&connections, outcomes).await.map_err(|error| ErrorChain(&error).to_string());
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
    /// Stores an outcome as `queries::store_outcome` does.
    pub(in crate::store) async fn store_outcome(
        &self,
        key: IdempotencyKey,
        outcome: IdempotencyOutcome,
    ) -> Result<(), StoreError> {
        let (stored, result) = oneshot::channel();
        let stopped = || StoreError::from(Outage::WriterStopped);
        self.outcomes.queue.send(((key, outcome), stored)).await.map_err(|_| stopped())?;
        result.await.map_err(|_| stopped())?
    }
}

async fn store(connections: &Connections, mut outcomes: Vec<StoredOutcome>) -> Result<(), StoreError> {
    // In one order on every replica, so that two batches cannot deadlock.
    outcomes.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let mut held = connections.take().await?;
    let since = held.since();
    let stored = connections.bounded(since, store_together(&mut held, outcomes)).await;
    settle(held, stored)
}

async fn store_together(connection: &mut AsyncPgConnection, outcomes: Vec<StoredOutcome>) -> Result<(), StoreError> {
    transaction::open(connection)?;
    let updated = update(connection, outcomes).await;
    transaction::close(connection, updated.map(Some)).await?;
    Ok(())
}

async fn update(c: QueryConn<'_>, outcomes: Vec<StoredOutcome>) -> Result<(), StoreError> {
    let mut statements: Vec<Statement<'_>> =
        vec![transaction::statement(c, "BEGIN"), transaction::statement(c, "SET LOCAL synchronous_commit = off")];
    for (key, outcome) in outcomes {
        statements.push(async move { queries::store_outcome(&mut { c }, key, outcome).await }.boxed());
    }
    statements.push(transaction::statement(c, "COMMIT"));
    transaction::send(statements).await
}
