//! Errors of the store: outages, and failures.

use std::error::Error as StdError;
use std::path::PathBuf;
use std::time::Duration;

use diesel::result::{DatabaseErrorKind, Error as DieselError};

/// A source error of any type.
pub(super) type Cause = Box<dyn StdError + Send + Sync>;

/// The result of a call of the store.
pub(super) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A failure of the database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The same call may succeed later: no connection, a full disk, a lock that is held for too long, a server that stops.
    #[error("the database is not available")]
    Unavailable(#[source] Cause),
    /// A row that breaks a constraint, or that cannot be read. Displays as its cause.
    #[error(transparent)]
    Failed(Cause),
}

/// Outages that the database does not report itself.
#[derive(Debug, thiserror::Error)]
pub(super) enum Outage {
    #[error("no connection of the pool became free within {0:?}")]
    PoolExhausted(Duration),
    #[error("PostgreSQL did not answer within {0:?}; the connection was closed")]
    TimedOut(Duration),
    #[error("PostgreSQL has not answered for a while")]
    Gone,
    #[error(
        "the file {} was moved, or replaced by another one, while it was open: nothing is read or written until the server is started \
         again. Stop it, then put the file back that was there, or move the -wal and -shm of this one away", .0.display()
    )]
    Replaced(PathBuf),
    #[error("the writer has stopped")]
    WriterStopped,
    #[error("the batch of writes was not committed: {0}")]
    BatchLost(String),
    #[error("too many writers contend for {0}")]
    Contended(&'static str),
    #[cfg(feature = "simulation")]
    #[error("a test has planned a fault")]
    Planned,
}

/// A unit of work panicked. The panic hook has logged the panic.
#[derive(Debug, thiserror::Error)]
#[error("a write panicked and was rolled back")]
pub(super) struct Panicked;

/// A row that breaks a rule which the schema does not express.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Inconsistent(pub &'static str);

impl From<Outage> for StoreError {
    fn from(outage: Outage) -> Self {
        StoreError::Unavailable(Box::new(outage))
    }
}

impl From<Panicked> for StoreError {
    fn from(panicked: Panicked) -> Self {
        StoreError::Failed(Box::new(panicked))
    }
}

impl From<Inconsistent> for StoreError {
    fn from(inconsistent: Inconsistent) -> Self {
        StoreError::Failed(Box::new(inconsistent))
    }
}

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> Self {
        let passing = match &error {
            // Diesel derives the kind from SQLSTATE or SQLite's result code, and names the violations of a constraint. Every
            // other error of the database is an outage: our statements are checked by the compiler, and a test runs each.
            DieselError::DatabaseError(kind, _) => !matches!(
                kind,
                DatabaseErrorKind::UniqueViolation
                    | DatabaseErrorKind::ForeignKeyViolation
                    | DatabaseErrorKind::NotNullViolation
                    | DatabaseErrorKind::CheckViolation
                    | DatabaseErrorKind::RestrictViolation
                    | DatabaseErrorKind::ExclusionViolation
            ),
            // The connection is broken; the next caller gets another one.
            DieselError::BrokenTransactionManager
            | DieselError::NotInTransaction
            | DieselError::RollbackErrorOnCommit { .. } => true,
            _ => false,
        };
        let cause = Box::new(error);
        if passing { StoreError::Unavailable(cause) } else { StoreError::Failed(cause) }
    }
}
