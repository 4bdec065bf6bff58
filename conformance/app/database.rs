//! A separate database for every test.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use card_service::app::Server;
use futures_util::future::join_all;
use tempfile::TempDir;
use tokio_postgres::{NoTls, SimpleQueryMessage};
use url::Url;

/// The engine of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    Sqlite,
    Postgres,
}

/// The schemas of PostgreSQL that tests of this process have emptied: the next test has no need to make its tables again.
static EMPTIED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Deletes the rows of every table of the current schema, and keeps the record of its migrations.
const EMPTY: &str = "SET session_replication_role = replica; -- no foreign key is checked
    DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> '__diesel_schema_migrations' LOOP
            EXECUTE format('DELETE FROM %I', name);
        END LOOP;
    END $$";

/// A new, empty database and data folder; both are deleted after the test. Cheap to clone.
#[derive(Clone)]
pub struct FreshDatabase {
    pub url: String,
    pub folder: Arc<TempDir>,
    /// The database of TEST_POSTGRES_URL and the name of the test's schema in it. A schema isolates a test as well as a
    /// database, without the flushes of creating and dropping one.
    postgres: Option<(String, String)>,
    /// The servers that tests started on it in this process.
    servers: Arc<Mutex<Vec<Server>>>,
}

impl Database {
    /// Creates a database of this engine without tables.
    pub async fn fresh(self) -> FreshDatabase {
        self.database(None).await
    }

    /// Creates a database of this engine without rows. It may have its tables already.
    pub async fn empty(self) -> FreshDatabase {
        let schema = EMPTIED.lock().expect("no test panics with the lock").pop_if(|_| self == Self::Postgres);
        self.database(schema).await
    }

    async fn database(self, schema: Option<String>) -> FreshDatabase {
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().permissions(private).tempdir();
        let folder = Arc::new(folder.expect("a folder for the test's data"));
        match self {
            Database::Sqlite => {
                let url = format!("sqlite://{}", folder.path().join("card-service.db").display());
                FreshDatabase { url, folder, postgres: None, servers: Arc::default() }
            }
            Database::Postgres => {
                let maintenance = std::env::var("TEST_POSTGRES_URL").unwrap_or_else(|_| {
                    panic!(
                        "TEST_POSTGRES_URL is not set: this test works in a PostgreSQL. \
                         `bash .ci/test` starts one and runs every test; or: \
                         export TEST_POSTGRES_URL=\"$(bash .ci/postgres start target/postgres)\""
                    )
                });
                let name = match schema {
                    Some(name) => name,
                    None => {
                        let name = unique_name();
                        command(&maintenance, &format!("CREATE SCHEMA {name}")).await;
                        name
                    }
                };
                let mut url = Url::parse(&maintenance).expect("TEST_POSTGRES_URL is a postgres:// address");
                url.query_pairs_mut().append_pair("options", &format!("-csearch_path={name}"));
                FreshDatabase { url: url.into(), folder, postgres: Some((maintenance, name)), servers: Arc::default() }
            }
        }
    }
}

impl FreshDatabase {
    /// A database that the test creates and deletes itself.
    pub fn new(url: String, folder: TempDir) -> Self {
        Self { url, folder: Arc::new(folder), postgres: None, servers: Arc::default() }
    }

    /// The server of a PostgreSQL, and our schema on it.
    pub fn postgres(&self) -> Option<(String, String)> {
        self.postgres.clone()
    }

    /// Keeps a server until [`FreshDatabase::drop`] stops it.
    pub fn keep(&self, server: Server) {
        self.servers.lock().expect("no test panics with the lock").push(server);
    }

    /// Stops the servers of the test, waits until they have stopped, and deletes the database; the folder deletes itself.
    pub async fn drop(&self) {
        self.stop_servers().await;
        if let Some((maintenance, name)) = &self.postgres {
            command(maintenance, &format!("DROP SCHEMA {name} CASCADE")).await;
        }
    }

    /// The same, and keeps an emptied schema for [`Database::empty`].
    pub async fn give_back(&self) {
        self.stop_servers().await;
        if let Some((_, name)) = &self.postgres {
            command(&self.url, EMPTY).await;
            EMPTIED.lock().expect("no test panics with the lock").push(name.clone());
        }
    }

    async fn stop_servers(&self) {
        let servers = std::mem::take(&mut *self.servers.lock().expect("no test panics with the lock"));
        join_all(servers.into_iter().map(Server::stop)).await;
    }
}

/// Unique across test processes that share a PostgreSQL.
fn unique_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let started = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970").as_micros();
    format!("conformance_{}_{}_{started}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst))
}

/// Runs statements directly on the database, such as one that undoes half of a write. Returns how many rows the last changed.
pub async fn tamper(url: &str, sql: &str) -> u64 {
    match url.strip_prefix("sqlite://") {
        Some(path) => {
            let connection = rusqlite::Connection::open(path).expect("the database opens");
            connection.busy_timeout(Duration::from_secs(10)).expect("waiting can be set");
            connection.execute_batch(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
            connection.changes()
        }
        None => command(url, sql).await,
    }
}

async fn command(maintenance: &str, sql: &str) -> u64 {
    let (client, connection) = tokio_postgres::connect(maintenance, NoTls)
        .await
        .unwrap_or_else(|e| panic!("the PostgreSQL of TEST_POSTGRES_URL does not answer ({e}); see .ci/postgres"));
    let connection = tokio::spawn(connection);
    let messages = client.simple_query(sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    drop(client);
    let _ = connection.await;
    let changed = messages.iter().rev().find_map(|message| match message {
        SimpleQueryMessage::CommandComplete(rows) => Some(*rows),
        _ => None,
    });
    changed.unwrap_or(0)
}
