//! The store: a handle on a database of either engine, and how its methods run a query on it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::Mutex;

use super::error::Outage;
#[cfg(feature = "simulation")]
use super::fault::Faults;
use super::postgres::Postgres;
use super::sqlite::{BackupDraft, Sqlite};
use super::theme::ThemeCache;
use super::{QueueSignals, Result, StoreError};
use crate::base::{Clock, Timestamp, limits};
use crate::model::AuditEntry;

/// Returns an error if a question of a health check takes too long.
async fn in_time<T>(asked: impl Future<Output = Result<T>>) -> Result<T> {
    let answered = tokio::time::timeout(limits::DATABASE_CHECK, asked).await;
    answered.unwrap_or_else(|_| Err(Outage::TimedOut(limits::DATABASE_CHECK).into()))
}

/// The database; cheap to clone. Opened with [`Store::open`].
#[derive(Clone)]
pub struct Store {
    pub(super) engine: Engine,
    pub(super) signals: QueueSignals,
    /// The public base URL, for links in notifications.
    pub(super) public_base: Arc<str>,
    /// Set for commands of the operator: the writes of a command add this entry once.
    pub(super) audit: Option<Arc<AuditEntry>>,
    pub(super) clock: Clock,
    pub(super) themes: ThemeCache,
    /// When the health check last wrote its row.
    pub(super) tried_at: Arc<Mutex<Option<Timestamp>>>,
    #[cfg(feature = "simulation")]
    pub(super) faults: Option<Arc<Faults>>,
}

#[derive(Clone)]
pub(super) enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// The connections of this process to PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    pub max: usize,
    pub open: usize,
    pub idle: usize,
}

/// What undoes the writes of a unit of work that fails. PostgreSQL runs the statements of a `Transaction` in one, SQLite in a savepoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// One statement, which undoes its own writes.
    Statement,
    /// Several statements, all or nothing.
    Transaction,
    /// Several statements on SQLite without a savepoint. If one fails, the batch is lost. What the unit refuses is no error to the
    /// writer, and it has undone its writes.
    Unprotected,
}

/// Runs a call of the store. In builds for the step simulator it meets the fault that is planned for it.
macro_rules! meet_faults {
    ($store:expr, $run:expr) => {{
        #[cfg(feature = "simulation")]
        let call = $store.begin().await?;
        let out = $run;
        #[cfg(feature = "simulation")]
        call.end().await?;
        out
    }};
}

// `read!`, `lookup!` and `commit!` are the bodies of the store's methods. Each runs the function of that name in `queries`, on the
// engine of the store. The futures for PostgreSQL are boxed: they are large, and would be part of each caller's future on
// SQLite too.

/// Runs SELECTs: SQLite on the calling thread, PostgreSQL on a connection of the pool.
macro_rules! read {
    ($store:ident, $query:ident($($arg:expr),*)) => {
        $crate::store::engine::meet_faults!($store, match &$store.engine {
            $crate::store::engine::Engine::Sqlite(db) => {
                db.read(async |c| $crate::store::sqlite::queries::$query(c, $($arg),*).await)
            }
            $crate::store::engine::Engine::Postgres(db) => {
                let run = async move {
                    let held = db.connection().await?;
                    let since = held.since();
                    let out = db.run_bounded(since, $crate::store::postgres::queries::$query(&mut &*held, $($arg),*)).await;
                    $crate::store::postgres::settle(held, out)
                };
                Box::pin(run).await
            }
        })
    };
}

/// Runs SELECTs of a few rows by an index, which PostgreSQL answers on a connection that lookups share.
macro_rules! lookup {
    ($store:ident, $query:ident($($arg:expr),*)) => {
        $crate::store::engine::meet_faults!($store, match &$store.engine {
            $crate::store::engine::Engine::Sqlite(db) => {
                db.read(async |c| $crate::store::sqlite::queries::$query(c, $($arg),*).await)
            }
            $crate::store::engine::Engine::Postgres(db) => {
                $crate::store::engine::share!(db, $query($($arg),*))
            }
        })
    };
}

/// Runs a query of one statement, which may be repeated, on a connection to PostgreSQL that requests share.
macro_rules! share {
    ($db:expr, $query:ident($($arg:expr),*)) => {{
        let run = async move {
            let mut since = None;
            loop {
                let shared = $db.shared(since).await?;
                let connection = &mut shared.connection();
                match shared.run($crate::store::postgres::queries::$query(connection, $($arg),*)).await {
                    std::ops::ControlFlow::Break(out) => return out,
                    std::ops::ControlFlow::Continue(start) => since = Some(start),
                }
            }
        };
        Box::pin(run).await
    }};
}

/// Runs a write. `$unit` is its [`Unit`]; one that is audited is a `Transaction`. `$recorded` gets the result; if it returns true and
/// the store has an audit entry, the entry is added in the same transaction.
macro_rules! commit {
    ($store:ident, $unit:ident, $recorded:expr, $query:ident($($arg:expr),*)) => {
        $crate::store::engine::meet_faults!($store, {
            let audit = $store.audit.clone();
            let unit = match audit {
                Some(_) => $crate::store::engine::Unit::Transaction,
                None => $crate::store::engine::Unit::$unit,
            };
            match &$store.engine {
                $crate::store::engine::Engine::Sqlite(db) => {
                    db.write(unit, async move |c| {
                        let out = $crate::store::sqlite::queries::$query(c, $($arg),*).await;
                        $crate::store::sqlite::queries::record(c, audit, $recorded, out).await
                    })
                    .await
                }
                $crate::store::engine::Engine::Postgres(db) => {
                    let begin = unit == $crate::store::engine::Unit::Transaction;
                    let run = async move {
                        let mut held = db.connection().await?;
                        let since = held.since();
                        let work = async {
                            let c = &mut *held;
                            if begin {
                                $crate::store::postgres::Postgres::begin(c).await?;
                            }
                            let out = $crate::store::postgres::queries::$query(&mut &*c, $($arg),*).await;
                            let out = $crate::store::postgres::queries::record(&mut &*c, audit, $recorded, out).await;
                            if begin { $crate::store::postgres::Postgres::end(c, out).await } else { out }
                        };
                        let out = db.run_bounded(since, work).await;
                        $crate::store::postgres::settle(held, out)
                    };
                    Box::pin(run).await
                }
            }
        })
    };
}

pub(super) use {commit, lookup, meet_faults, read, share};

impl Store {
    /// Returns an error if the database does not answer within a time limit.
    pub async fn ping(&self) -> Result<()> {
        in_time(self.is_read_only()).await.map(|_| ())
    }

    /// Returns an error if the database takes no writes: it says so, or does not write a row, which is tried once in a while.
    pub async fn check_writes(&self) -> Result<()> {
        in_time(async {
            let (now, is_read_only) = (self.clock.now(), self.is_read_only().await?);
            let mut tried_at = self.tried_at.lock().await;
            let is_due = |at: Timestamp| at > now || at <= now.before(limits::DATABASE_TRIED_EVERY);
            // A read-only PostgreSQL is asked to write each time: the error closes a connection to a server that was demoted.
            if is_read_only || tried_at.is_none_or(is_due) {
                *tried_at = None;
                self.write_heartbeat(now).await?;
                *tried_at = Some(now);
            }
            Ok(())
        })
        .await
    }

    async fn write_heartbeat(&self, now: Timestamp) -> Result<()> {
        commit!(self, Statement, |_| false, write_heartbeat(now))
    }

    /// Returns whether PostgreSQL says that it takes no writes. An error if the database does not answer.
    async fn is_read_only(&self) -> Result<bool> {
        if let Engine::Sqlite(db) = &self.engine {
            db.check_writer()?;
        }
        read!(self, is_read_only())
    }

    async fn current_time(&self) -> Result<Timestamp> {
        read!(self, current_time())
    }

    /// Returns an error if a table or column is missing.
    pub(super) async fn check_schema(&self) -> Result<()> {
        read!(self, check_schema())
    }

    /// Returns a handle on the same database whose calls meet the planned faults.
    #[cfg(feature = "simulation")]
    pub fn with_faults(self, faults: Arc<Faults>) -> Store {
        Store { faults: Some(faults), ..self }
    }

    /// Returns whether the connection to the database leaves this machine without TLS.
    pub fn is_exposed(&self) -> bool {
        matches!(&self.engine, Engine::Postgres(db) if db.is_exposed())
    }

    /// Returns the file of the database; `None` on PostgreSQL.
    pub fn file(&self) -> Option<&Path> {
        match &self.engine {
            Engine::Sqlite(db) => Some(db.path()),
            Engine::Postgres(_) => None,
        }
    }

    /// Returns whether another server on this machine uses the same SQLite file, until this process ends. On PostgreSQL servers share
    /// their database.
    pub fn is_served_twice(&self) -> bool {
        match &self.engine {
            Engine::Sqlite(db) => db.lock_for_server().is_ok_and(|is_alone| !is_alone),
            Engine::Postgres(_) => false,
        }
    }

    /// Returns the time of the database's own clock; `None` on SQLite, which uses the clock of this machine.
    pub async fn server_time(&self) -> Result<Option<Timestamp>> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(None),
            Engine::Postgres(_) => self.current_time().await.map(Some),
        }
    }

    /// Returns the state of the connection pool; `None` on SQLite.
    pub fn pool_use(&self) -> Option<PoolUse> {
        match &self.engine {
            Engine::Sqlite(_) => None,
            Engine::Postgres(db) => Some(db.pool_use()),
        }
    }

    /// Writes a copy of an SQLite database next to the path of a new file, while reads and writes continue; the caller
    /// publishes it. Returns `None` if the database is PostgreSQL, which has its own tools for that.
    pub async fn back_up(&self, to: PathBuf) -> Result<Option<BackupDraft>> {
        let Engine::Sqlite(db) = &self.engine else { return Ok(None) };
        let db = db.clone();
        let copied = tokio::task::spawn_blocking(move || db.back_up(&to)).await;
        Ok(Some(copied.map_err(|panic| StoreError::Failed(panic.into()))??))
    }
}
