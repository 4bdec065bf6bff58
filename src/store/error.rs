//! Errors of the store: outages, and failures.

use std::error::Error as StdError;
use std::time::Duration;

use diesel::result::{DatabaseErrorKind, Error as DieselError};

/// A source error of any type.
pub(super) type Cause = Box<dyn StdError + Send + Sync>;

/// The result of a call of the store.
pub(super) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A failure of the database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The same call may succeed later: no connection, a full disk, a lock that is held for too long.
    #[error("the database is not available")]
    Unavailable(#[source] Cause),
    /// The database refused a statement, or returned an unexpected row. Displays as its cause.
    #[error(transparent)]
    Failed(Cause),
}

/// Outages that the database does not report itself.
#[derive(Debug, thiserror::Error)]
pub(super) enum Outage {
    #[error("no connection came free within {0:?}")]
    PoolExhausted(Duration),
    #[error("PostgreSQL did not answer within {0:?}, and the connection was thrown away")]
    TimedOut(Duration),
    #[error("PostgreSQL has given no sign of life for a while")]
    Gone,
    #[error("the writer has stopped")]
    WriterStopped,
    #[error("the batch of writes was not committed: {0}")]
    BatchLost(String),
    #[error("{0} is contended by too many writers")]
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
            DieselError::DatabaseError(kind, info) => match kind {
                DatabaseErrorKind::UnableToSendCommand
                | DatabaseErrorKind::ClosedConnection
                | DatabaseErrorKind::SerializationFailure
                | DatabaseErrorKind::ReadOnlyTransaction => true,
                DatabaseErrorKind::Unknown => is_passing(info.message()),
                _ => false,
            },
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

/// SQLite's message if another connection locks the file for too long (sqlite3_errstr).
pub(super) const SQLITE_LOCKED: &str = "database is locked";

/// Returns whether the message of a database error is about an outage: diesel does not expose the error code.
///
/// SQLite's messages are fixed (sqlite3_errstr). PostgreSQL translates its messages: in another language than English
/// such an outage counts as a failure.
fn is_passing(message: &str) -> bool {
    const SQLITE: [&str; 8] = [
        "database or disk is full",
        SQLITE_LOCKED,
        "database table is locked",
        "disk I/O error",
        "unable to open database file",
        "attempt to write a readonly database",
        "locking protocol",
        "out of memory",
    ];
    const POSTGRES: [&str; 9] = [
        "canceling statement due to",
        "terminating connection due to",
        "deadlock detected",
        "the database system is",
        "could not extend file",
        "could not write to file",
        "sorry, too many clients already",
        "remaining connection slots are reserved",
        "could not serialize access",
    ];
    SQLITE.contains(&message) || POSTGRES.iter().any(|start| message.starts_with(start))
}
