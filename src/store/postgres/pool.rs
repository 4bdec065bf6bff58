//! The pool of connections, and its timeouts for a server that stops answering.
//!
//! A connection that has been idle for a moment is checked before it is used, since it may have ended unnoticed. When a unit of work
//! takes long, every connection that was last taken earlier is suspect: it is checked as well. If it does not answer, it is dropped with
//! all connections that are as old. While no check has succeeded since, new calls are refused at once for a short time, so that the
//! fields of one request do not each wait for the timeout.
//!
//! A connection that refuses a write because it is read-only is closed, and all that are as old are dropped too: they were made while
//! the database was read-only, or their server has become a standby.

use std::error::Error;
use std::ops::{Deref, DerefMut};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use diesel_async::pooled_connection::deadpool::{Hook, HookError, Object, Pool, PoolError};
use diesel_async::pooled_connection::{
    AsyncDieselConnectionManager, ManagerConfig, PoolError as MakeError, RecyclingMethod,
};
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures_util::FutureExt as _;
use tokio::time::{sleep_until, timeout};

use super::connect::Connector;
use crate::base::limits;
use crate::store::error::{Outage, is_read_only};
use crate::store::{PoolUse, StoreError};

/// Connections to PostgreSQL; cheap to clone.
#[derive(Clone)]
pub(super) struct Connections {
    pool: Pool<AsyncPgConnection>,
    liveness: Arc<Liveness>,
}

/// A connection that was taken from the pool, and returns to it when dropped.
pub(crate) struct TakenConnection {
    connection: Object<AsyncPgConnection>,
    since: tokio::time::Instant,
}

impl Deref for TakenConnection {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &Self::Target {
        &self.connection
    }
}

impl DerefMut for TakenConnection {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.connection
    }
}

impl TakenConnection {
    /// Returns when it was taken.
    pub(in crate::store) fn since(&self) -> tokio::time::Instant {
        self.since
    }

    /// Closes the connection instead of returning it to the pool.
    fn discard(self) {
        drop(Object::take(self.connection));
    }
}

impl Connections {
    pub(super) fn new(connector: Arc<Connector>, size: usize) -> Result<Self, StoreError> {
        let liveness = Arc::new(Liveness::new());
        let (making, asked) = (Arc::clone(&liveness), Arc::clone(&liveness));
        let mut config = ManagerConfig::default();
        // Fast drops connections that are closed or inside a transaction. Verified would cost a round trip.
        config.recycling_method = RecyclingMethod::Fast;
        config.custom_setup = Box::new(move |_| {
            let connector = Arc::clone(&connector);
            let liveness = Arc::clone(&making);
            async move {
                let connected = connector.connect().await;
                match &connected {
                    Ok(_) => liveness.mark_alive(),
                    Err(_) => liveness.mark_gone(),
                }
                connected.map_err(|error| diesel::ConnectionError::BadConnection(error.to_string()))
            }
            .boxed()
        });
        // The connector has the address, which may contain a password.
        let manager = AsyncDieselConnectionManager::new_with_config(String::new(), config);
        let alive = Hook::<AsyncPgConnection>::async_fn(move |connection, metrics| {
            let taken = metrics.recycled.unwrap_or(metrics.created);
            match asked.health(taken) {
                Health::Healthy => std::future::ready(Ok(())).boxed(),
                Health::Dead => std::future::ready(Err(HookError::message("as old as a dead connection"))).boxed(),
                Health::Suspect(at) => {
                    let asked = Arc::clone(&asked);
                    async move {
                        match timeout(limits::DATABASE_PING, connection.batch_execute("SELECT 1")).await {
                            Ok(Ok(())) => {
                                asked.mark_alive();
                                Ok(())
                            }
                            Ok(Err(_)) => Err(HookError::message("the connection is broken")),
                            Err(_) => {
                                asked.dead.fetch_max(at, Ordering::Relaxed);
                                Err(HookError::message("no answer to a ping"))
                            }
                        }
                    }
                    .boxed()
                }
            }
        });
        let pool = Pool::builder(manager).max_size(size).pre_recycle(alive).build();
        Ok(Self { pool: pool.map_err(|error| StoreError::Failed(error.into()))?, liveness })
    }

    /// Returns the state of the pool.
    pub(super) fn in_use(&self) -> PoolUse {
        let status = self.pool.status();
        PoolUse { max: status.max_size, open: status.size, idle: status.available }
    }

    /// Returns whether a connection that was last taken at this time must not be used.
    pub(super) fn is_dead(&self, taken: tokio::time::Instant) -> bool {
        self.liveness.health(taken.into_std()) == Health::Dead
    }

    /// Returns an error for a short time after PostgreSQL stopped answering.
    pub(super) fn check_alive(&self) -> Result<(), StoreError> {
        if self.liveness.is_gone() { Err(Outage::Gone.into()) } else { Ok(()) }
    }

    /// Records whether a connection could be made.
    pub(super) fn record_connect(&self, connected: bool) {
        if connected { self.liveness.mark_alive() } else { self.liveness.mark_gone() }
    }

    /// Records whether a unit of work succeeded.
    pub(super) fn record_work(&self, succeeded: bool) {
        if succeeded {
            self.liveness.mark_answered();
        }
    }

    /// Takes a connection, within the time that a request may wait.
    pub(super) async fn take(&self) -> Result<TakenConnection, StoreError> {
        self.check_alive()?;
        match timeout(limits::DATABASE_WAIT, self.pool.get()).await {
            Ok(Ok(connection)) => Ok(TakenConnection { connection, since: tokio::time::Instant::now() }),
            Ok(Err(PoolError::Backend(MakeError::ConnectionError(error)))) => {
                Err(StoreError::Unavailable(error.into()))
            }
            Ok(Err(error)) => Err(StoreError::Unavailable(error.into())),
            Err(_) => Err(Outage::PoolExhausted(limits::DATABASE_WAIT).into()),
        }
    }

    /// Runs a unit of work with a connection that was taken at `since`. Returns `None` if it takes too long.
    pub(super) async fn run_bounded<T, E>(
        &self,
        since: tokio::time::Instant,
        work: impl Future<Output = Result<T, E>>,
    ) -> Option<Result<T, E>> {
        let mut work = pin!(work);
        // A timer for each of the two limits; work that is ready at once needs none.
        let out = tokio::select! {
            biased;
            out = &mut work => out,
            () = sleep_until(since + limits::DATABASE_SLOW) => {
                self.liveness.mark_suspect();
                tokio::select! {
                    biased;
                    out = work => out,
                    () = sleep_until(since + limits::DATABASE_WORK) => {
                        self.liveness.mark_gone();
                        return None;
                    }
                }
            }
        };
        self.record_work(out.is_ok());
        Some(out)
    }

    /// Returns a connection to the pool after a unit of work, or closes it if the work did not end or the connection is read-only.
    pub(super) fn settle<T, E>(&self, held: TakenConnection, out: Option<Result<T, E>>) -> Result<T, E>
    where
        E: From<StoreError> + Error,
    {
        match out {
            Some(Err(error)) if is_read_only(&error) => {
                held.discard();
                self.liveness.mark_read_only();
                Err(error)
            }
            Some(out) => out,
            None => {
                held.discard();
                Err(StoreError::from(Outage::TimedOut(limits::DATABASE_WORK)).into())
            }
        }
    }
}

/// The times that decide which connections may be dead. Times are in milliseconds since the pool was created.
struct Liveness {
    made: Instant,
    /// Connections that were last taken before this are checked.
    suspect: AtomicU64,
    /// Connections that were last taken before this are dropped.
    dead: AtomicU64,
    /// The last successful check or new connection, or unit of work that succeeded after connections became suspect.
    alive: AtomicU64,
    /// The last timeout.
    gone: AtomicU64,
}

#[derive(Debug, PartialEq, Eq)]
enum Health {
    Healthy,
    /// As every connection that was last taken before this time.
    Suspect(u64),
    Dead,
}

impl Liveness {
    fn new() -> Self {
        let never = || AtomicU64::new(0);
        Self { made: Instant::now(), suspect: never(), dead: never(), alive: never(), gone: never() }
    }

    fn millis(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.made);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn now(&self) -> u64 {
        self.millis(Instant::now())
    }

    /// Makes every connection that was taken before now suspect.
    fn mark_suspect(&self) {
        self.suspect.fetch_max(self.now(), Ordering::Relaxed);
    }

    fn mark_alive(&self) {
        self.alive.fetch_max(self.now(), Ordering::Relaxed);
    }

    /// Records a unit of work that succeeded.
    fn mark_answered(&self) {
        if self.alive.load(Ordering::Relaxed) < self.suspect.load(Ordering::Relaxed) {
            self.mark_alive();
        }
    }

    fn mark_gone(&self) {
        self.gone.fetch_max(self.now(), Ordering::Relaxed);
    }

    /// Makes every connection that was taken before now dead, at most once in a while: a database that stays read-only would make each
    /// request connect.
    fn mark_read_only(&self) {
        let (now, dead) = (self.now(), self.dead.load(Ordering::Relaxed));
        if u128::from(now.saturating_sub(dead)) >= limits::DATABASE_READ_ONLY.as_millis() {
            self.dead.fetch_max(now + 1, Ordering::Relaxed);
        }
    }

    /// Returns whether there was a recent timeout, and no success since connections became suspect.
    fn is_gone(&self) -> bool {
        let suspect = self.suspect.load(Ordering::Relaxed);
        if suspect == 0 || self.alive.load(Ordering::Relaxed) >= suspect {
            return false;
        }
        let (gone, at) = (self.gone.load(Ordering::Relaxed), limits::DATABASE_GONE.as_millis());
        gone >= suspect && u128::from(self.now().saturating_sub(gone)) < at
    }

    /// Judges a connection that was last taken at this time.
    fn health(&self, taken: Instant) -> Health {
        let idle = u64::try_from(limits::DATABASE_IDLE.as_millis()).unwrap_or(u64::MAX);
        let suspect = self.suspect.load(Ordering::Relaxed).max(self.now().saturating_sub(idle));
        let taken = self.millis(taken);
        if taken < self.dead.load(Ordering::Relaxed) {
            Health::Dead
        } else if taken < suspect {
            Health::Suspect(suspect)
        } else {
            Health::Healthy
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn database_is_gone_for_a_moment_after_something_was_given_up_and_until_it_answers() {
        let liveness = Liveness { made: Instant::now() - Duration::from_secs(60), ..Liveness::new() };
        liveness.mark_gone();
        assert!(!liveness.is_gone(), "nothing was slow");
        liveness.mark_suspect();
        liveness.mark_gone();
        assert!(liveness.is_gone());
        liveness.gone.store(50_000, Ordering::Relaxed);
        liveness.suspect.store(40_000, Ordering::Relaxed);
        assert!(!liveness.is_gone(), "the moment is over");
        liveness.mark_gone();
        assert!(liveness.is_gone());
        liveness.mark_answered();
        assert!(!liveness.is_gone());
    }

    #[test]
    fn connections_taken_before_a_timeout_are_suspect_until_one_of_them_is_found_dead() {
        let liveness = Liveness::new();
        let before = liveness.made + Duration::from_millis(5);
        assert_eq!(liveness.health(before), Health::Healthy);
        liveness.suspect.store(10, Ordering::Relaxed);
        assert_eq!(liveness.health(before), Health::Suspect(10));
        assert_eq!(liveness.health(liveness.made + Duration::from_millis(10)), Health::Healthy);
        liveness.dead.store(10, Ordering::Relaxed);
        assert_eq!(liveness.health(before), Health::Dead);
        assert_eq!(liveness.health(liveness.made + Duration::from_millis(10)), Health::Healthy);
    }
}
