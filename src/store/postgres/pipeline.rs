//! Pipelining: statements that are sent without waiting for the answers to the statements before them. PostgreSQL runs and answers
//! the statements of a connection in the order in which they arrive, so that many take one round trip.
//!
//! This file is about speed only and may be skipped: each part does what the queries of the same names do one by one.
//!
//! - **A card** is created in two round trips. `insert_card` on SQLite needs one after the other:
//!
//!   ```text
//!   1st: BEGIN, claim the key, use the photo, insert the card, read the matching subscriptions
//!   2nd: insert the event, insert a body and a delivery for each subscription, COMMIT
//!   ```
//!
//!   If the key has a claim or the dossier number a card, everything is rolled back, and `insert_card` runs instead.
//! - **Outcomes** of keyed requests are stored many in a transaction, which is one round trip and does not wait for its flush to
//!   disk. Losing an outcome in a crash of PostgreSQL is safe: the claim of its key was flushed with the card (decisions, section 4).
//! - **Lookups** of concurrent requests share a few connections, so that few system calls and processes of PostgreSQL serve them.
//!
//! A future of diesel-async sends its statement when it is first polled. Statements are therefore sent together by polling their
//! futures in turn before waiting for any.

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use diesel::connection::TransactionDepthChange;
use diesel_async::{AsyncPgConnection, RunQueryDsl, TransactionManager};
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, try_join, try_join4};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

use super::connect::Connector;
use super::pool::{Connections, settle};
use super::queries::Subscriber;
use super::{Manager, Postgres, QueryConn, queries};
use crate::base::{ErrorChain, limits};
use crate::model::{Card, Delivery, Event, render};
use crate::store::error::Outage;
use crate::store::prepared_query::PreparedQuery;
use crate::store::{IdempotencyClaim, IdempotencyKey, IdempotencyOutcome, NewCard, StoreError};

impl Postgres {
    /// Inserts a card with its event, deliveries and claim, in one transaction. Also returns whether any delivery was
    /// enqueued. Returns `None`, and inserts nothing, if the key has a claim or the partner a card with the dossier number.
    pub(in crate::store) async fn create_card(
        &self,
        new: &NewCard,
        public_base: &str,
    ) -> Result<Option<(Card, bool)>, StoreError> {
        let card = Card { event_count: 1, ..new.card.clone() };
        let event = new.event.clone().into_event(&card, card.event_count);
        let mut held = self.connection().await?;
        let since = held.since();
        let work = async {
            open(&mut held)?;
            let inserted = insert(&held, new.claim.as_ref(), &card, &event, public_base).await;
            close(&mut held, inserted).await
        };
        let inserted = self.run_bounded(since, work).await;
        Ok(settle(held, inserted)?.map(|enqueued| (card, enqueued)))
    }
}

/// Sends the statements of a transaction in two parts. Returns whether any delivery was enqueued, or `None` if nothing was
/// committed.
async fn insert(
    c: QueryConn<'_>,
    claim: Option<&IdempotencyClaim>,
    card: &Card,
    event: &Event,
    public_base: &str,
) -> Result<Option<bool>, StoreError> {
    // In the order of `queries::insert_card`: the claim comes first, so that requests with the same key wait for it.
    let (mut claiming, mut using, mut inserting, mut reading) = (c, c, c, c);
    let claimed = async {
        match claim {
            Some(claim) => queries::insert_claim(&mut claiming, card, claim).await,
            None => Ok(true),
        }
    };
    let photo_used = async {
        match &card.deceased.photo {
            Some(photo) => queries::use_photo(&mut using, photo).await,
            None => Ok(()),
        }
    };
    let inserted = queries::insert_card_row(&mut inserting, card);
    let subscriptions = queries::matching_subscriptions(&mut reading, card, event.topic);
    let begun = try_join(statement(c, "BEGIN"), claimed);
    let ((_, claimed), (), inserted, subscriptions) = try_join4(begun, photo_used, inserted, subscriptions).await?;
    if !(claimed && inserted) {
        return Ok(None);
    }

    let enqueued = !subscriptions.is_empty();
    let mut statements: Vec<Statement<'_>> =
        vec![async move { queries::insert_event(&mut { c }, event).await }.boxed()];
    for Subscriber { id, api_version, .. } in subscriptions {
        let body = render(event, card, &api_version, public_base);
        let delivery = Delivery::new(event, id, api_version.clone());
        let insert_body = async move { queries::insert_body(&mut { c }, event.id, &api_version, body).await };
        statements.push(insert_body.boxed());
        statements.push(async move { queries::insert_delivery(&mut { c }, delivery).await }.boxed());
    }
    statements.push(statement(c, "COMMIT"));
    send(statements).await?;
    Ok(Some(enqueued))
}

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
    let mut held = connections.take().await?;
    let since = held.since();
    let work = async {
        open(&mut held)?;
        let updated = update(&held, outcomes).await;
        close(&mut held, updated.map(Some)).await
    };
    let stored = connections.run_bounded(since, work).await;
    settle(held, stored).map(|_| ())
}

async fn update(c: QueryConn<'_>, outcomes: Vec<StoredOutcome>) -> Result<(), StoreError> {
    let mut statements: Vec<Statement<'_>> =
        vec![statement(c, "BEGIN"), statement(c, "SET LOCAL synchronous_commit = off")];
    for (key, outcome) in outcomes {
        statements.push(async move { queries::store_outcome(&mut { c }, key, outcome).await }.boxed());
    }
    statements.push(statement(c, "COMMIT"));
    send(statements).await
}

/// A future that sends exactly one statement, when it is first polled.
type Statement<'a> = BoxFuture<'a, Result<(), StoreError>>;

/// Marks the connection as inside a transaction, before BEGIN is sent. Until [`close`] the pool drops the connection if it
/// is returned.
fn open(connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
    change_depth(connection, TransactionDepthChange::IncreaseDepth)
}

/// Marks the connection as outside a transaction after COMMIT; rolls back if `out` holds an error or `None`.
async fn close<T>(
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
fn statement<'a>(mut c: QueryConn<'a>, sql: &'static str) -> Statement<'a> {
    let run = async move {
        PreparedQuery(diesel::sql_query(sql)).execute(&mut c).await?;
        Ok(())
    };
    run.boxed()
}

/// Sends the statements together, in their order, and waits for all of them. A statement that cannot be sent ends it: the
/// ones after it are not sent either, and the last one is COMMIT.
async fn send(mut statements: Vec<Statement<'_>>) -> Result<(), StoreError> {
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

/// The connections that lookups share.
pub(super) struct LookupConnections {
    slots: [Slot; limits::LOOKUP_CONNECTIONS],
    turn: AtomicUsize,
    connector: Arc<Connector>,
}

/// A place for a connection, which is empty until it is made, and after it failed.
#[derive(Default)]
struct Slot {
    current: Mutex<Option<Arc<Shared>>>,
    connecting: tokio::sync::Mutex<()>,
}

struct Shared {
    connection: AsyncPgConnection,
    made: Instant,
}

/// One lookup on a shared connection.
pub(in crate::store) struct Lookup<'a> {
    shared: Arc<Shared>,
    slots: &'a [Slot],
    connections: &'a Connections,
    since: Instant,
    is_repeated: bool,
}

impl LookupConnections {
    pub(super) fn new(connector: Arc<Connector>) -> Self {
        Self { slots: Default::default(), turn: AtomicUsize::new(0), connector }
    }
}

impl Postgres {
    /// Begins a lookup on the connection whose turn it is, which is made if need be. `since` is the start of a lookup that
    /// is repeated.
    pub(in crate::store) async fn lookup(&self, since: Option<Instant>) -> Result<Lookup<'_>, StoreError> {
        let LookupConnections { slots, turn, connector } = &*self.lookups;
        let connections = &self.connections;
        connections.check_alive()?;
        let slot = &slots[turn.fetch_add(1, Ordering::Relaxed) % slots.len()];
        let shared = match slot.get() {
            Some(shared) => shared,
            None => timeout(limits::DATABASE_WAIT, slot.fill(connector, connections))
                .await
                .unwrap_or_else(|_| Err(Outage::PoolExhausted(limits::DATABASE_WAIT).into()))?,
        };
        let (is_repeated, since) = (since.is_some(), since.unwrap_or_else(Instant::now));
        Ok(Lookup { shared, slots, connections, since, is_repeated })
    }
}

impl Slot {
    fn current(&self) -> MutexGuard<'_, Option<Arc<Shared>>> {
        // No code that holds this lock can panic.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self) -> Option<Arc<Shared>> {
        self.current().clone()
    }

    /// Makes the connection, unless another lookup has just made it.
    async fn fill(&self, connector: &Connector, connections: &Connections) -> Result<Arc<Shared>, StoreError> {
        let _connecting = self.connecting.lock().await;
        connections.check_alive()?;
        if let Some(shared) = self.get() {
            return Ok(shared);
        }
        let connected = connector.connect().await;
        connections.record_connect(connected.is_ok());
        let connection = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
        let shared = Arc::new(Shared { connection, made: Instant::now() });
        *self.current() = Some(Arc::clone(&shared));
        Ok(shared)
    }
}

#[cfg(test)]
impl Postgres {
    /// Makes every connection again, and prepares each for a test.
    pub(in crate::store) async fn prepare_lookups(&self, prepare: impl Fn(&mut AsyncPgConnection)) {
        for slot in &self.lookups.slots {
            let mut connection = self.lookups.connector.connect().await.expect("PostgreSQL answers");
            prepare(&mut connection);
            *slot.current() = Some(Arc::new(Shared { connection, made: Instant::now() }));
        }
    }
}

impl Lookup<'_> {
    pub(in crate::store) fn connection(&self) -> &AsyncPgConnection {
        &self.shared.connection
    }

    /// Runs the lookup. Returns `Continue` with its start if it has to be repeated on another connection, once: its own was
    /// closed, or may be dead.
    pub(in crate::store) async fn run<T>(
        &self,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> ControlFlow<Result<T, StoreError>, Instant> {
        if self.is_repeated {
            let out = self.connections.run_bounded(self.since, work).await;
            return ControlFlow::Break(out.unwrap_or_else(|| Err(Outage::TimedOut(limits::DATABASE_WORK).into())));
        }
        match timeout_at(self.since + limits::DATABASE_SLOW, work).await {
            Ok(Err(StoreError::Unavailable(_))) => self.close(|shared| Arc::ptr_eq(shared, &self.shared)),
            Ok(out) => return ControlFlow::Break(out),
            Err(_) => self.close(|shared| shared.made <= self.since),
        }
        ControlFlow::Continue(self.since)
    }

    /// Lets no further lookup use these connections.
    fn close(&self, which: impl Fn(&Arc<Shared>) -> bool) {
        for slot in self.slots {
            slot.current().take_if(|shared| which(shared));
        }
    }
}
