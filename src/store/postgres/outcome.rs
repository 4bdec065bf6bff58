//! Stores the outcomes of keyed requests, many by one statement that does not wait for its flush to disk. Losing an outcome in a crash
//! of PostgreSQL is safe: the claim of its key was flushed with the card (decisions, section 4).

use diesel::sql_types::{Array, Binary, Text};
use tokio::sync::{mpsc, oneshot};

use super::pool::{Connections, settle};
use super::{Postgres, QueryConn, RunQueryDsl, column};
use crate::base::{ErrorChain, limits};
use crate::store::error::Outage;
use crate::store::prepared_query::prepared;
use crate::store::sql_type::{Digest, Id, Name, UuidSql};
use crate::store::{IdempotencyKey, IdempotencyOutcome, StoreError};

/// The queue of outcomes to store; cheap to clone.
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
    let held = connections.take().await?;
    let stored = connections.run_bounded(held.since(), update(&held, &outcomes)).await;
    settle(held, stored)
}

/// Stores outcomes as `queries::store_outcome` does, by one statement that commits without waiting for the disk.
async fn update(mut c: QueryConn<'_>, outcomes: &[StoredOutcome]) -> Result<(), StoreError> {
    let update = diesel::sql_query(
        "UPDATE idempotency_keys AS claim SET request = outcome.request, response = outcome.response
         FROM set_config('synchronous_commit', 'off', true),
             unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::text[])
                 AS outcome (partner_id, mode, key, request, response)
         WHERE claim.partner_id = outcome.partner_id AND claim.mode = outcome.mode AND claim.key = outcome.key
             AND claim.ordinal = 0 AND claim.response IS NULL",
    )
    .bind::<Array<UuidSql>, _>(column(outcomes, |(key, _)| Id(key.partner_id)))
    .bind::<Array<Text>, _>(column(outcomes, |(key, _)| Name(key.mode)))
    .bind::<Array<Text>, _>(column(outcomes, |(key, _)| &key.text))
    .bind::<Array<Binary>, _>(column(outcomes, |(_, outcome)| Digest(outcome.request)))
    .bind::<Array<Text>, _>(column(outcomes, |(_, outcome)| &outcome.response));
    prepared!(update).execute(&mut c).await?;
    Ok(())
}
