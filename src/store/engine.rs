//! The store: a handle on a database of either engine, and the macro that writes its methods.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::Outage;
#[cfg(feature = "simulation")]
use super::fault::Faults;
use super::postgres::Postgres;
use super::sqlite::{BackupDraft, Sqlite};
use super::{QueueSignals, StoreError};
use crate::base::{Timestamp, limits};
use crate::model::AuditEntry;

/// The database; cheap to clone. Opened with [`Store::open`].
#[derive(Clone)]
pub struct Store {
    pub(super) engine: Engine,
    pub(super) signals: QueueSignals,
    /// The public base URL, for links in notifications.
    pub(super) public_base: Arc<str>,
    /// Set for commands of the operator: the writes of a command add this entry once.
    pub(super) audit: Option<Arc<AuditEntry>>,
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

pub(super) use meet_faults;

/// Writes methods of the store. Each runs the function of the same name in `queries/`, on either engine.
///
/// - `read`: SELECTs. SQLite runs them on the calling thread; PostgreSQL takes a connection.
/// - `lookup`: SELECTs of a few rows by an index. PostgreSQL sends them over a shared connection.
/// - `write`: one statement. SQLite's writer runs it; PostgreSQL runs it without a transaction unless it is audited.
/// - `transaction`: several statements, all or nothing.
///
/// Writes of an audited store add the audit entry of their command in the same transaction. The futures for PostgreSQL are boxed: they
/// are large, and would be part of each caller's future on SQLite too.
macro_rules! store_methods {
    ($($(#[$doc:meta])* $visible:vis $kind:ident $name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        impl $crate::store::Store { $(
            $(#[$doc])*
            $visible async fn $name(&self, $($arg: $ty),*) -> $out {
                $crate::store::engine::meet_faults!(self, {
                    let out: $out = $crate::store::engine::store_methods!(@$kind self $name($($arg),*));
                    out
                })
            }
        )* }
    };
    (@read $self:ident $name:ident($($arg:ident),*)) => {
        match &$self.engine {
            $crate::store::engine::Engine::Sqlite(db) => {
                db.read(async |c| $crate::store::sqlite::queries::$name(c, $($arg),*).await)
            }
            $crate::store::engine::Engine::Postgres(db) => {
                let run = async move {
                    let held = db.connection().await?;
                    let since = held.since();
                    let out = db.bounded(since, $crate::store::postgres::queries::$name(&mut &*held, $($arg),*)).await;
                    $crate::store::postgres::settled(held, out)
                };
                Box::pin(run).await
            }
        }
    };
    (@lookup $self:ident $name:ident($($arg:ident),*)) => {
        match &$self.engine {
            $crate::store::engine::Engine::Sqlite(db) => {
                db.read(async |c| $crate::store::sqlite::queries::$name(c, $($arg),*).await)
            }
            $crate::store::engine::Engine::Postgres(db) => {
                let run = async move {
                    let mut since = None;
                    loop {
                        let lookup = db.lookup(since).await?;
                        let connection = &mut lookup.connection();
                        match lookup.run($crate::store::postgres::queries::$name(connection, $($arg),*)).await {
                            std::ops::ControlFlow::Break(out) => return out,
                            std::ops::ControlFlow::Continue(start) => since = Some(start),
                        }
                    }
                };
                Box::pin(run).await
            }
        }
    };
    (@write $self:ident $name:ident($($arg:ident),*)) => {
        $crate::store::engine::store_methods!(@run $self $name($($arg),*), $self.audit.is_some())
    };
    (@transaction $self:ident $name:ident($($arg:ident),*)) => {
        $crate::store::engine::store_methods!(@run $self $name($($arg),*), true)
    };
    // `$begin`: whether PostgreSQL needs a transaction.
    (@run $self:ident $name:ident($($arg:ident),*), $begin:expr) => {{
        let audit = $self.audit.clone();
        match &$self.engine {
            $crate::store::engine::Engine::Sqlite(db) => {
                db.write(async move |c| {
                    let out = $crate::store::sqlite::queries::$name(c, $($arg),*).await;
                    $crate::store::sqlite::queries::noted(c, audit, out).await
                })
                .await
            }
            $crate::store::engine::Engine::Postgres(db) => {
                let begin = $begin;
                let run = async move {
                    let mut held = db.connection().await?;
                    let since = held.since();
                    let work = async {
                        let c = &mut *held;
                        if begin {
                            $crate::store::postgres::Postgres::begin(c).await?;
                        }
                        let out = $crate::store::postgres::queries::$name(&mut &*c, $($arg),*).await;
                        let out = $crate::store::postgres::queries::noted(&mut &*c, audit, out).await;
                        if begin { $crate::store::postgres::Postgres::end(c, out).await } else { out }
                    };
                    let out = db.bounded(since, work).await;
                    $crate::store::postgres::settled(held, out)
                };
                Box::pin(run).await
            }
        }
    }};
}

pub(super) use store_methods;

store_methods! {
    read answer() -> Result<(), StoreError>;
    read current_time() -> Result<Timestamp, StoreError>;
    /// Returns an error if a table or column is missing.
    pub(super) read check_schema() -> Result<(), StoreError>;
}

impl Store {
    /// Returns an error if the database does not answer, or takes no writes.
    pub async fn ping(&self) -> Result<(), StoreError> {
        if let Engine::Sqlite(db) = &self.engine {
            db.check_writer()?;
        }
        let answered = tokio::time::timeout(limits::DATABASE_CHECK, self.answer()).await;
        answered.unwrap_or_else(|_| Err(Outage::Silent(limits::DATABASE_CHECK).into()))
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

    /// Returns the time of the database's own clock; `None` on SQLite, which uses the clock of this machine.
    pub async fn server_time(&self) -> Result<Option<Timestamp>, StoreError> {
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
    pub async fn back_up(&self, to: PathBuf) -> Result<Option<BackupDraft>, StoreError> {
        let Engine::Sqlite(db) = &self.engine else { return Ok(None) };
        let db = db.clone();
        let copied = tokio::task::spawn_blocking(move || db.back_up(&to)).await;
        Ok(Some(copied.map_err(|panic| StoreError::Failed(panic.into()))??))
    }
}
