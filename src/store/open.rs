//! Opens and closes the database of the settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use tokio::task::JoinHandle;
use url::Url;

use super::database::{CallContext, Database};
use super::error::Cause;
use super::migration::MigrationState;
use super::postgres::{Postgres, PostgresAddress};
use super::sqlite::{self, Sqlite, WriterEnd};
use super::{BackupContents, BackupError, QueueSignals, Store, StoreError};
use crate::base::{Clock, Progress, has_unescaped_password, limits, private};

/// The database to open.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// `sqlite://<path>`, relative to the working directory unless it begins with a slash, or `postgres://…`.
    pub url: String,
    /// Maximum number of connections to PostgreSQL; two to four times its cores is a good value.
    pub postgres_pool_size: usize,
    /// The public base URL, for links in notifications.
    pub public_base: String,
    /// Whether to create a missing database; otherwise it is an error.
    pub create: bool,
    /// Whether to look for damage in an SQLite file, which reads all of it.
    pub examine: bool,
    /// The clock by which the themes in memory expire.
    pub clock: Clock,
}

/// Why a database was not opened. Wrapped in [`StoreError::Failed`].
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the address of the database must begin with sqlite:// or postgres://")]
    Scheme,
    #[error("the address of the SQLite database names no file")]
    NoFile,
    #[error(
        "an SQLite database in memory loses its data when the program ends; name a file, such as sqlite://data/card-service.db"
    )]
    Memory,
    #[error("the address of an SQLite database takes no parameters after a question mark")]
    Parameters,
    #[error("the address of the PostgreSQL database cannot be used: it {0}")]
    Address(String),
    #[error("the roots that the certificate of PostgreSQL is checked against cannot be read")]
    Roots(#[source] Cause),
    #[error("the pool of PostgreSQL connections needs at least one")]
    NoConnections,
    #[error(
        "there is no database {}: `card-service init` creates one; if there should be one, \
         `card-service serve --print-config` shows which setting names another place", .0.display()
    )]
    Missing(PathBuf),
    #[error(
        "the file {} is not a database of this service, or a truncated backup: it lacks our tables. Put a complete \
         backup in its place, or remove it and create a new database with `card-service init`", .0.display()
    )]
    NoTables(PathBuf),
    #[error(
        "the PostgreSQL database {0} is empty: `card-service init` creates the tables; if they should be there, \
         `card-service serve --print-config` shows which setting names another database"
    )]
    Empty(String),
    #[error(
        "the file {file} was replaced, and the log {file}-wal belongs to the file that was there: SQLite would damage both. To use this \
         file, move the -wal and -shm away; to go on with the other one, put it back. `card-service backup restore` puts a backup \
         where there is no database", file = .0.display()
    )]
    ForeignLog(PathBuf),
    #[error(
        "the database {file} is damaged ({found}): keep a copy of it with its -wal and -shm, move all three away, and run \
         `card-service backup restore` with the newest backup. `sqlite3 {file} .recover` reads what can be saved of the copy",
        file = path.display()
    )]
    Damaged { path: PathBuf, found: String },
    #[error("the SQLite file {} cannot be created", path.display())]
    Create { path: PathBuf, source: std::io::Error },
    #[error("the folder of the SQLite file {} cannot be made", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("the SQLite file {} cannot be opened{}", path.display(), private::obstacle(path))]
    File { path: PathBuf, source: Cause },
    #[error(
        "the SQLite library is {0}, older than {min}: a checkpoint can skip a commit (docs/operating.md)",
        min = limits::SQLITE_VERSION_MIN.map(|part| part.to_string()).join(".")
    )]
    Library(String),
    #[error("the writer thread cannot be started")]
    Thread(#[source] std::io::Error),
    #[error("the database was written by a newer version of this program: its migration {0} is unknown here")]
    NewerSchema(String),
    #[error(
        "the database was moved by `card-service move`: set DATABASE_URL to the other one. If the move was interrupted, or you \
         go back to this one, `card-service move --undo` makes it usable again"
    )]
    Moved,
    #[error(
        "the database is of an earlier release: it lacks the migration {0}. A server runs it when it starts; \
         `card-service init` does it now"
    )]
    PendingMigration(String),
    #[error(
        "the PostgreSQL database has the encoding {0}, which cannot hold every name. Create one with `createdb \
         --encoding=UTF8 --template=template0`, copy the tables with pg_dump and psql, and set DATABASE_URL to it"
    )]
    Encoding(String),
    #[error(
        "the PostgreSQL server takes no writes: it is a standby. Name the primary in DATABASE_URL, or all servers with \
         ?target_session_attrs=read-write"
    )]
    Standby,
    #[error(
        "the PostgreSQL database takes no writes: default_transaction_read_only is on, in its settings or those of the role"
    )]
    ReadOnly,
    #[error("a migration of the database failed")]
    Migration(#[source] Cause),
    #[error("the database lacks a table or column that its migrations should have made")]
    Schema(#[source] Cause),
}

impl From<OpenError> for StoreError {
    fn from(error: OpenError) -> Self {
        StoreError::Failed(Box::new(error))
    }
}

/// Waits for the tasks of the store at shutdown. Dropping it waits for nothing.
#[derive(Debug)]
#[must_use = "without close(), the process may end before the last writes are on the disk"]
pub struct StoreCloser {
    created: bool,
    writer: Option<WriterEnd>,
    /// The task that notifies other replicas.
    notifying: Option<JoinHandle<()>>,
}

impl StoreCloser {
    /// Returns whether opening the store created its database.
    pub fn created(&self) -> bool {
        self.created
    }

    /// Waits until the writer has committed its queue and closed its connection, which it does after every clone of the
    /// [`Store`] is dropped.
    pub async fn close(self) {
        if let Some(end) = self.writer {
            end.wait().await;
        }
        if let Some(notifying) = self.notifying {
            let _ = notifying.await; // an error: it panicked, and the panic hook has logged it
        }
    }
}

impl Store {
    /// Returns an error if the address is of an SQLite file that is missing or empty: an early check for callers that
    /// must not create one.
    pub fn require(url: &str) -> Result<(), StoreError> {
        match address(url)? {
            Address::Sqlite(path) => Ok(Sqlite::require(&path)?),
            Address::Postgres(_) => Ok(()),
        }
    }

    /// Opens the database and brings its schema up to date.
    pub async fn open(settings: &StoreSettings) -> Result<(Store, StoreCloser), StoreError> {
        Self::open_with(settings, true).await
    }

    /// Opens the database; a pending migration is an error.
    pub async fn open_migrated(settings: &StoreSettings) -> Result<(Store, StoreCloser), StoreError> {
        Self::open_with(settings, false).await
    }

    /// Returns the migrations of the database and of this program, and changes neither.
    pub async fn migrations(url: &str) -> Result<Vec<MigrationState>, StoreError> {
        match address(url)? {
            Address::Sqlite(path) => {
                let read = tokio::task::spawn_blocking(move || Sqlite::migrations(&path)).await;
                read.map_err(|panic| StoreError::Failed(panic.into()))?
            }
            Address::Postgres(address) => Postgres::migrations(*address, OpenError::Empty(database_name(url))).await,
        }
    }

    async fn open_with(settings: &StoreSettings, migrate: bool) -> Result<(Store, StoreCloser), StoreError> {
        let (create, examine) = (settings.create, settings.examine);
        let name = || database_name(&settings.url);
        let (database, created, writer, notifying) = match address(&settings.url)? {
            Address::Sqlite(path) => {
                let opened = tokio::task::spawn_blocking(move || Sqlite::open(&path, create, migrate, examine)).await;
                let (sqlite, created, end) = opened.map_err(|panic| StoreError::Failed(panic.into()))??;
                (Database::Sqlite(sqlite), created, Some(end), None)
            }
            Address::Postgres(address) => {
                if settings.postgres_pool_size == 0 {
                    return Err(OpenError::NoConnections.into());
                }
                let if_empty = (!create).then(|| OpenError::Empty(name()));
                let (postgres, created, notifying) =
                    Postgres::open(*address, settings.postgres_pool_size, if_empty, migrate).await?;
                (Database::Postgres(postgres), created, None, Some(notifying))
            }
        };
        let store = Store {
            database,
            signals: QueueSignals::default(),
            public_base: settings.public_base.as_str().into(),
            context: CallContext::default(),
            clock: settings.clock.clone(),
            themes: Default::default(),
            tried_at: Arc::default(),
        };
        store.check_schema().await.map_err(|error| match error {
            StoreError::Unavailable(source) if is_refusal(&source) => OpenError::Schema(source).into(),
            other => other,
        })?;
        if created {
            tracing::info!(database = name(), "a new, empty database was created");
        }
        Ok((store, StoreCloser { created, writer, notifying }))
    }
}

/// Returns whether the database answered a statement with an error.
fn is_refusal(source: &Cause) -> bool {
    let unknown = DatabaseErrorKind::Unknown;
    matches!(source.downcast_ref(), Some(DieselError::DatabaseError(kind, _)) if *kind == unknown)
}

/// Copies a backup to the path of an SQLite database that does not exist, and checks the copy. Returns its size. Blocks.
pub fn restore_backup(
    backup: &Path,
    url: &str,
    expected: &BackupContents,
    progress: &Progress,
) -> Result<u64, StoreError> {
    match address(url)? {
        Address::Sqlite(path) => Ok(sqlite::restore(backup, &path, expected, progress)?),
        Address::Postgres(_) => Err(BackupError::Postgres.into()),
    }
}

/// Returns the name of a database for messages: the absolute path of the file, or host and name of the PostgreSQL
/// database. Contains no password and no parameter.
pub fn database_name(url: &str) -> String {
    if let Some(path) = url.strip_prefix("sqlite://") {
        return std::path::absolute(path).unwrap_or_else(|_| path.into()).display().to_string();
    }
    match Url::parse(url) {
        Ok(_) if has_unescaped_password(url) => "of DATABASE_URL".to_owned(),
        Ok(url) => {
            let host = url.host_str().filter(|host| !host.is_empty()).unwrap_or("localhost");
            let port = url.port().map_or(String::new(), |port| format!(":{port}"));
            format!("{host}{port}{}", url.path())
        }
        Err(_) => "of DATABASE_URL".to_owned(),
    }
}

/// Checks the address of a database without opening it.
pub fn check_address(url: &str) -> Result<(), OpenError> {
    match address(url)? {
        Address::Sqlite(_) => Ok(()),
        Address::Postgres(address) => Postgres::check(*address),
    }
}

#[derive(Debug)]
pub(super) enum Address {
    Sqlite(PathBuf),
    Postgres(Box<PostgresAddress>),
}

/// Parses the address of a database. It may contain a password, so errors do not repeat it.
pub(super) fn address(url: &str) -> Result<Address, OpenError> {
    if PostgresAddress::is_meant(url) {
        return PostgresAddress::parse(url)
            .map(|address| Address::Postgres(Box::new(address)))
            .map_err(OpenError::Address);
    }
    let path = url.strip_prefix("sqlite://").ok_or(OpenError::Scheme)?;
    if path.is_empty() {
        Err(OpenError::NoFile)
    } else if path.contains(":memory:") || path.contains("mode=memory") {
        Err(OpenError::Memory)
    } else if path.contains('?') {
        Err(OpenError::Parameters)
    } else {
        Ok(Address::Sqlite(path.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_of_each_engine_is_read() {
        assert!(matches!(address("sqlite:///var/lib/x.db"), Ok(Address::Sqlite(p)) if p.is_absolute()));
        assert!(matches!(address("sqlite://data/x.db"), Ok(Address::Sqlite(p)) if p.is_relative()));
        assert!(matches!(address("postgres://u:p@h/d"), Ok(Address::Postgres(_))));
        assert!(matches!(address("postgresql://h/d"), Ok(Address::Postgres(_))));
    }

    #[test]
    fn name_of_a_database_holds_no_password() {
        assert_eq!(database_name("sqlite:///var/lib/x.db"), "/var/lib/x.db");
        assert!(database_name("sqlite://data/x.db").ends_with("/data/x.db"));
        assert!(database_name("sqlite://data/x.db").starts_with('/'));
        for (url, name) in [
            ("postgres://kaart:geheim@db.example/cards?sslmode=require&password=geheim", "db.example/cards"),
            ("postgresql://kaart:geheim@db.example:5433/cards", "db.example:5433/cards"),
            ("postgres:///cards", "localhost/cards"),
            ("postgres://kaart:ge/heim@db.example/cards", "of DATABASE_URL"),
            ("postgres://kaart:12/heim@db.example/cards", "of DATABASE_URL"),
            ("postgres://kaart:12?heim@db.example/cards", "of DATABASE_URL"),
            ("postgres://kaart:geheim@een.example:1,twee.example:2/cards", "of DATABASE_URL"),
        ] {
            assert_eq!(database_name(url), name, "{url}");
        }
    }

    #[test]
    fn address_that_is_none_is_refused_without_repeating_it() {
        for url in ["", "mysql://user:secret@host/db", "data/x.db", "/data/x.db", "sqlite:x.db"] {
            let error = address(url).unwrap_err();
            assert!(matches!(error, OpenError::Scheme), "{url}");
            assert!(!error.to_string().contains("secret"));
        }
        assert!(matches!(address("sqlite://"), Err(OpenError::NoFile)));
        assert!(matches!(address("sqlite://x.db?mode=ro"), Err(OpenError::Parameters)));
        for url in ["sqlite://:memory:", "sqlite://file::memory:", "sqlite://x?mode=memory&cache=shared"] {
            assert!(matches!(address(url), Err(OpenError::Memory)), "{url}");
        }
    }
}
