//! Connections that lookups share: each sends its statement without waiting for the answers to others, so that few
//! connections, system calls and processes of PostgreSQL serve many requests.
//!
//! Called by the methods of the store that are marked `lookup` (`engine.rs`). No transaction runs here.

use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use diesel_async::AsyncPgConnection;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::Postgres;
use super::connect::Connector;
use super::pool::Connections;
use crate::base::limits;
use crate::store::StoreError;
use crate::store::error::Outage;

pub(super) struct LookupConnections {
    slots: [Slot; limits::LOOKUP_CONNECTIONS],
    turn: AtomicUsize,
    connector: Arc<Connector>,
}

/// A connection; `None` until it is made, and after it failed.
type Slot = Mutex<Option<Arc<AsyncPgConnection>>>;

/// One lookup on a shared connection.
pub(in crate::store) struct Lookup<'a> {
    connection: Arc<AsyncPgConnection>,
    slot: &'a Slot,
    /// The connection was made for this lookup.
    fresh: bool,
    since: Instant,
    connections: &'a Connections,
}

impl LookupConnections {
    pub(super) fn new(connector: Arc<Connector>) -> Self {
        Self { slots: Default::default(), turn: AtomicUsize::new(0), connector }
    }
}

impl Postgres {
    /// Begins a lookup on the connection whose turn it is, which is made if need be.
    pub(in crate::store) async fn lookup(&self) -> Result<Lookup<'_>, StoreError> {
        let LookupConnections { slots, turn, connector } = &*self.lookups;
        let connections = &self.connections;
        connections.check_alive()?;
        let slot = &slots[turn.fetch_add(1, Ordering::Relaxed) % slots.len()];
        let mut current = slot.lock().await;
        let (connection, fresh) = match &*current {
            Some(connection) => (Arc::clone(connection), false),
            None => {
                let connected = connector.connect().await;
                connections.connected(connected.is_ok());
                let connection = Arc::new(connected.map_err(|error| StoreError::Unavailable(error.into()))?);
                *current = Some(Arc::clone(&connection));
                (connection, true)
            }
        };
        Ok(Lookup { connection, slot, fresh, since: Instant::now(), connections })
    }
}

#[cfg(test)]
impl Postgres {
    /// Makes every connection again, and prepares each for a test.
    pub(in crate::store) async fn prepare_lookups(&self, prepare: impl Fn(&mut AsyncPgConnection)) {
        for slot in &self.lookups.slots {
            let mut connection = self.lookups.connector.connect().await.expect("PostgreSQL answers");
            prepare(&mut connection);
            *slot.lock().await = Some(Arc::new(connection));
        }
    }
}

impl Lookup<'_> {
    pub(in crate::store) fn connection(&self) -> &AsyncPgConnection {
        &self.connection
    }

    /// Runs the lookup. Returns `Continue` if it has to be repeated: its connection was closed before.
    pub(in crate::store) async fn run<T>(
        &self,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> ControlFlow<Result<T, StoreError>> {
        let mut work = pin!(work);
        let out = tokio::select! {
            biased;
            out = &mut work => Some(out),
            () = sleep_until(self.since + limits::DATABASE_SLOW) => {
                self.replace().await; // it may be dead: others get a new one
                self.connections.bounded(self.since, work).await
            }
        };
        match out {
            None => ControlFlow::Break(Err(Outage::Silent(limits::DATABASE_WORK).into())),
            Some(Err(error @ StoreError::Unavailable(_))) => {
                self.replace().await;
                let closed_before = !self.fresh && self.since.elapsed() < limits::DATABASE_SLOW;
                if closed_before { ControlFlow::Continue(()) } else { ControlFlow::Break(Err(error)) }
            }
            Some(out) => ControlFlow::Break(out),
        }
    }

    /// Empties the slot, unless it holds another connection.
    async fn replace(&self) {
        let mut current = self.slot.lock().await;
        if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, &self.connection)) {
            *current = None;
        }
    }
}
