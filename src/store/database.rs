//! The store: a handle on a database, SQLite or PostgreSQL, and how its methods run a query on it.

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
use crate::base::{Clock, Progress, Timestamp, limits};
use crate::model::AuditEntry;

/// Returns an error if a question of a health check takes too long.
async fn in_time<T>(asked: impl Future<Output = Result<T>>) -> Result<T> {
    let answered = tokio::time::timeout(limits::DATABASE_CHECK, asked).await;
    answered.unwrap_or_else(|_| Err(Outage::TimedOut(limits::DATABASE_CHECK).into()))
}

/// The database; cheap to clone. Opened with [`Store::open`].
#[derive(Clone)]
pub struct Store {
    pub(super) database: Database,
    pub(super) signals: QueueSignals,
    /// The public base URL, for links in notifications.
    pub(super) public_base: Arc<str>,
    pub(super) context: CallContext,
    pub(super) clock: Clock,
    pub(super) themes: ThemeCache,
    /// When the health check last wrote its row.
    pub(super) tried_at: Arc<Mutex<Option<Timestamp>>>,
}

#[derive(Clone)]
pub(super) enum Database {
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

/// How a failed unit of work is rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// One statement: the database rolls it back.
    Statement,
    /// Several statements, all or nothing: in a transaction of PostgreSQL, or a savepoint of SQLite.
    Transaction,
}

/// What each call of the store takes along.
#[derive(Clone, Default)]
pub(super) struct CallContext {
    /// Set for commands of the operator: the writes of a command add this entry once.
    pub(super) audit: Option<Arc<AuditEntry>>,
    #[cfg(feature = "simulation")]
    pub(super) faults: Option<Arc<Faults>>,
}

impl CallContext {
    /// Runs a call. In builds for the step simulator it meets the fault that is planned for it.
    pub(super) async fn run<T, E: From<StoreError>>(&self, call: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        #[cfg(feature = "simulation")]
        let begun = self.begin().await?;
        let out = call.await;
        #[cfg(feature = "simulation")]
        begun.end().await?;
        out
    }

    /// Returns the unit of a write: the audit entry is added in the transaction of the write.
    pub(super) fn audited(&self, unit: Unit) -> Unit {
        if self.audit.is_some() { Unit::Transaction } else { unit }
    }
}

/// Runs a query: `read`, `run_shared` or `write` of the store's database, with the function of this name in `queries.rs` as the unit
/// of work.
///
/// A macro, since a path cannot be generic: each engine compiles its own `queries`. The futures for PostgreSQL are boxed: they are large,
/// and would be part of each caller's future on SQLite too.
macro_rules! query {
    ($store:ident.$run:ident($($how:expr),*), $query:ident($($arg:expr),*)) => {
        match &$store.database {
            $crate::store::database::Database::Sqlite(db) => {
                db.$run(&$store.context, $($how,)* async move |c| $crate::store::sqlite::queries::$query(c, $($arg),*).await).await
            }
            $crate::store::database::Database::Postgres(db) => {
                let run = db.$run(&$store.context, $($how,)* async move |c| $crate::store::postgres::queries::$query(c, $($arg),*).await);
                Box::pin(run).await
            }
        }
    };
}

pub(super) use query;

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
        query!(self.write(Unit::Statement, |_| false), write_heartbeat(now))
    }

    /// Returns whether PostgreSQL says that it takes no writes. An error if the database does not answer.
    async fn is_read_only(&self) -> Result<bool> {
        if let Database::Sqlite(db) = &self.database {
            db.check_writer()?;
        }
        query!(self.read(), is_read_only())
    }

    async fn current_time(&self) -> Result<Timestamp> {
        query!(self.read(), current_time())
    }

    /// Returns an error if a table or column is missing.
    pub(super) async fn check_schema(&self) -> Result<()> {
        query!(self.read(), check_schema())
    }

    /// Returns a handle on the same database whose calls meet the planned faults.
    #[cfg(feature = "simulation")]
    pub fn with_faults(self, faults: Arc<Faults>) -> Store {
        Store { context: CallContext { faults: Some(faults), ..self.context }, ..self }
    }

    /// Returns whether the connection to the database leaves this machine without TLS.
    pub fn is_exposed(&self) -> bool {
        matches!(&self.database, Database::Postgres(db) if db.is_exposed())
    }

    /// Returns the file of the database; `None` on PostgreSQL.
    pub fn file(&self) -> Option<&Path> {
        match &self.database {
            Database::Sqlite(db) => Some(db.path()),
            Database::Postgres(_) => None,
        }
    }

    /// Returns whether another server on this machine uses the same SQLite file, until this process ends. On PostgreSQL servers share
    /// their database.
    pub fn is_served_twice(&self) -> bool {
        match &self.database {
            Database::Sqlite(db) => db.lock_for_server().is_ok_and(|is_alone| !is_alone),
            Database::Postgres(_) => false,
        }
    }

    /// Returns the time of the database's own clock; `None` on SQLite, which uses the clock of this machine.
    pub async fn server_time(&self) -> Result<Option<Timestamp>> {
        match &self.database {
            Database::Sqlite(_) => Ok(None),
            Database::Postgres(_) => self.current_time().await.map(Some),
        }
    }

    /// Returns the state of the connection pool; `None` on SQLite.
    pub fn pool_use(&self) -> Option<PoolUse> {
        match &self.database {
            Database::Sqlite(_) => None,
            Database::Postgres(db) => Some(db.pool_use()),
        }
    }

    /// Writes a copy of an SQLite database next to the path of a new file, while reads and writes continue; the caller
    /// publishes it. Returns `None` if the database is PostgreSQL, which has its own tools for that.
    pub async fn back_up(&self, to: PathBuf, progress: &Progress) -> Result<Option<BackupDraft>> {
        let Database::Sqlite(db) = &self.database else { return Ok(None) };
        let (db, progress) = (db.clone(), progress.clone());
        let copied = tokio::task::spawn_blocking(move || db.back_up(&to, &progress)).await;
        Ok(Some(copied.map_err(|panic| StoreError::Failed(panic.into()))??))
    }
}
