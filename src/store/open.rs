//! Opens the database that the settings name, and closes it.

use std::path::PathBuf;

use tokio::task::JoinHandle;

use super::dispatch::Engine;
use super::error::Cause;
use super::postgres::Postgres;
use super::sqlite::{Sqlite, WriterEnd};
use super::{Store, StoreError, Wakes};

/// Which database to open.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// `sqlite://<path>`, relative to the working directory unless it begins with a slash, or `postgres://…`.
    pub url: String,
    /// How many connections to PostgreSQL at the most: two to four times its cores serve well. SQLite needs none.
    pub postgres_pool_size: usize,
    /// What the links in notifications begin with: they are rendered when something happens.
    pub public_base: String,
}

/// Why a database was not opened. It reaches the caller inside [`StoreError::Failed`].
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the address of the database must begin with sqlite:// or postgres://")]
    Scheme,
    #[error("the address of the SQLite database names no file")]
    NoFile,
    #[error("an SQLite database in memory forgets everything; name a file, such as sqlite://data/card-service.db")]
    Memory,
    #[error("the address of an SQLite database takes no parameters after a question mark")]
    Parameters,
    #[error("the pool of PostgreSQL connections needs at least one")]
    NoConnections,
    #[error("the folder of the SQLite file {} cannot be made", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("the SQLite file {} cannot be opened", path.display())]
    File { path: PathBuf, source: Cause },
    #[error("the writer thread cannot be started")]
    Thread(#[source] std::io::Error),
    #[error("the database was written by a newer version of this program: its migration {0} is unknown here")]
    NewerSchema(String),
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

/// Ends what the store leaves running. Dropping it ends nothing and waits for nobody.
#[derive(Debug)]
#[must_use = "without close(), the process may end before the last writes are on the disk"]
pub struct StoreCloser {
    writer: Option<WriterEnd>,
    /// What still tells other replicas of what was committed.
    telling: Option<JoinHandle<()>>,
}

impl StoreCloser {
    /// Waits until the writer has committed what was queued and closed its connection. It does so once every clone of
    /// the [`Store`] is dropped: a clone that is still held makes this wait for it.
    pub async fn close(self) {
        if let Some(end) = self.writer {
            end.wait().await;
        }
        if let Some(telling) = self.telling {
            let _ = telling.await; // an error: it panicked, which the panic hook has told
        }
    }
}

impl Store {
    /// Opens the database and brings its schema up to date.
    pub async fn open(settings: &StoreSettings) -> Result<(Store, StoreCloser), StoreError> {
        let (engine, writer, telling) = match address(&settings.url)? {
            Address::Sqlite(path) => {
                let opened = tokio::task::spawn_blocking(move || Sqlite::open(&path)).await;
                let (sqlite, end) = opened.map_err(|panic| StoreError::Failed(panic.into()))??;
                (Engine::Sqlite(sqlite), Some(end), None)
            }
            Address::Postgres(url) => {
                if settings.postgres_pool_size == 0 {
                    return Err(OpenError::NoConnections.into());
                }
                let (postgres, telling) = Postgres::open(url, settings.postgres_pool_size).await?;
                (Engine::Postgres(postgres), None, Some(telling))
            }
        };
        let store =
            Store { engine, wakes: Wakes::default(), public_base: settings.public_base.as_str().into(), audit: None };
        store.check_schema().await.map_err(|error| match error {
            StoreError::Failed(source) => OpenError::Schema(source).into(),
            unavailable => unavailable,
        })?;
        Ok((store, StoreCloser { writer, telling }))
    }
}

#[derive(Debug)]
enum Address<'a> {
    Sqlite(PathBuf),
    Postgres(&'a str),
}

/// Reads the address of a database. It may hold a password: no error repeats it.
fn address(url: &str) -> Result<Address<'_>, OpenError> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(Address::Postgres(url));
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
