//! The connections that requests share, for lookups and for the outcomes of keyed requests. Each statement is sent without waiting for
//! the answers to the ones before it, so that few system calls and processes of PostgreSQL serve many requests. None may wait for a lock
//! or for the disk: it would hold up the ones behind it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use diesel_async::AsyncPgConnection;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use super::connect::Connector;
use super::pool::Connections;
use super::{Postgres, QueryConn};
use crate::base::limits;
use crate::store::StoreError;
use crate::store::database::CallContext;
use crate::store::error::Outage;

/// The connections that requests share.
pub(super) struct SharedConnections {
    slots: [Slot; limits::SHARED_CONNECTIONS],
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
    /// The task that sends and receives, which ends when the connection is closed.
    driver: JoinHandle<()>,
    made: Instant,
}

/// A statement on a shared connection.
pub(in crate::store) struct SharedUse<'a> {
    shared: Arc<Shared>,
    slots: &'a [Slot],
    connections: &'a Connections,
    since: Instant,
    is_repeated: bool,
}

impl SharedConnections {
    pub(super) fn new(connector: Arc<Connector>) -> Self {
        Self { slots: Default::default(), turn: AtomicUsize::new(0), connector }
    }
}

impl Postgres {
    /// Runs a query of one statement, which may be repeated, on a shared connection.
    pub(in crate::store) async fn run_shared<T>(
        &self,
        context: &CallContext,
        unit: impl AsyncFnOnce(&mut QueryConn<'_>) -> Result<T, StoreError> + Clone,
    ) -> Result<T, StoreError> {
        let run = async {
            let mut since = None;
            loop {
                let shared = self.shared(since).await?;
                match shared.run((unit.clone())(&mut shared.connection())).await {
                    ControlFlow::Break(out) => return out,
                    ControlFlow::Continue(start) => since = Some(start),
                }
            }
        };
        context.run(run).await
    }

    /// Begins a statement on the connection whose turn it is, which is made if need be. `since` is the start of a statement
    /// that is repeated.
    pub(in crate::store) async fn shared(&self, since: Option<Instant>) -> Result<SharedUse<'_>, StoreError> {
        let SharedConnections { slots, turn, connector } = &*self.shared;
        let connections = &self.connections;
        connections.check_alive()?;
        let slot = &slots[turn.fetch_add(1, Ordering::Relaxed) % slots.len()];
        let shared = match slot.get(connections) {
            Some(shared) => shared,
            // Boxed: it is large, and would be in the future of every statement.
            None => timeout(limits::DATABASE_WAIT, Box::pin(slot.fill(connector, connections)))
                .await
                .unwrap_or_else(|_| Err(Outage::PoolExhausted(limits::DATABASE_WAIT).into()))?,
        };
        let (is_repeated, since) = (since.is_some(), since.unwrap_or_else(Instant::now));
        Ok(SharedUse { shared, slots, connections, since, is_repeated })
    }
}

impl Slot {
    fn current(&self) -> MutexGuard<'_, Option<Arc<Shared>>> {
        // No code that holds this lock can panic.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the connection, unless it is closed or dead.
    fn get(&self, connections: &Connections) -> Option<Arc<Shared>> {
        let shared = self.current().clone()?;
        (!shared.driver.is_finished() && !connections.is_dead(shared.made)).then_some(shared)
    }

    /// Makes the connection, unless another statement has just made it.
    async fn fill(&self, connector: &Connector, connections: &Connections) -> Result<Arc<Shared>, StoreError> {
        let _connecting = self.connecting.lock().await;
        connections.check_alive()?;
        if let Some(shared) = self.get(connections) {
            return Ok(shared);
        }
        let connected = connector.connect_shared().await;
        connections.record_connect(connected.is_ok());
        let (connection, driver) = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
        let shared = Arc::new(Shared { connection, driver, made: Instant::now() });
        *self.current() = Some(Arc::clone(&shared));
        Ok(shared)
    }
}

#[cfg(test)]
impl Postgres {
    /// Makes every connection again, and prepares each for a test.
    pub(in crate::store) async fn prepare_shared(&self, prepare: impl Fn(&mut AsyncPgConnection)) {
        for slot in &self.shared.slots {
            let (mut connection, driver) = self.shared.connector.connect_shared().await.expect("PostgreSQL answers");
            prepare(&mut connection);
            *slot.current() = Some(Arc::new(Shared { connection, driver, made: Instant::now() }));
        }
    }
}

impl SharedUse<'_> {
    pub(in crate::store) fn connection(&self) -> &AsyncPgConnection {
        &self.shared.connection
    }

    /// Runs the statement. Returns `Continue` with its start if it has to be repeated, once, on a connection that is made after it: what
    /// ended its own may have ended all.
    pub(in crate::store) async fn run<T>(
        &self,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> ControlFlow<Result<T, StoreError>, Instant> {
        if self.is_repeated {
            let out = self.connections.run_bounded(self.since, work).await;
            return ControlFlow::Break(out.unwrap_or_else(|| Err(Outage::TimedOut(limits::DATABASE_WORK).into())));
        }
        match timeout_at(self.since + limits::DATABASE_SLOW, work).await {
            Ok(Err(StoreError::Unavailable(_))) | Err(_) => {}
            Ok(out) => {
                self.connections.record_work(out.is_ok());
                return ControlFlow::Break(out);
            }
        }
        for slot in self.slots {
            slot.current().take_if(|shared| shared.made <= self.since);
        }
        ControlFlow::Continue(self.since)
    }
}
