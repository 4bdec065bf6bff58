//! PostgreSQL: diesel-async on tokio-postgres, in a deadpool; no libpq.

use std::sync::Arc;

use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Bool};
use diesel_async::{AsyncConnection, AsyncMigrationHarness, AsyncPgConnection, RunQueryDsl, TransactionManager};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub use self::address::PostgresAddress;
use self::connect::Connector;
use self::pool::Connections;
pub use self::pool::Held;
pub(super) use self::pool::settled;
use self::word::Notifier;
use super::error::Outage;
use super::migration;
use super::open::OpenError;
use super::row::AttemptRow;
use super::schema::attempts;
use super::{PoolUse, Queue, StoreError, Wakes};
use crate::base::limits;

mod address;
mod connect;
mod pool;
mod tls;
mod word;

diesel::define_sql_function! {
    fn pg_try_advisory_lock(key: BigInt) -> Bool;
}

type Conn = AsyncPgConnection;
type Db = diesel::pg::Pg;
type Manager = <Conn as AsyncConnection>::TransactionManager;

/// A joined statement spares a round trip.
const JOINS: bool = true;

/// Replicas write side by side.
const LOCKS: bool = true;

/// Keeps the row from other writers until the transaction ends. Rows that refer to it can still be added.
macro_rules! locked {
    ($query:expr) => {
        $query.for_no_key_update()
    };
}

/// Whether the id in a column is one of a list, which is one value.
macro_rules! among {
    ($column:expr, $ids:expr) => {
        $column.eq_any($ids)
    };
}

/// Claims rows: those that another replica is just claiming are passed over.
macro_rules! skip_locked {
    ($query:expr) => {
        $query.for_no_key_update().skip_locked()
    };
}

#[path = "queries/mod.rs"]
pub(super) mod queries;

pub(super) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// Names the lock that lets one replica migrate at a time.
const MIGRATION_LOCK: i64 = 0x0ca4_d5e4;

/// Inserts attempts that are not stored yet, in one statement.
async fn insert_attempts(connection: &mut Conn, rows: Vec<AttemptRow>) -> Result<(), StoreError> {
    diesel::insert_into(attempts::table).values(rows).on_conflict_do_nothing().execute(connection).await?;
    Ok(())
}

/// A database on a PostgreSQL server; cheap to clone.
#[derive(Clone)]
pub struct Postgres {
    connector: Arc<Connector>,
    connections: Connections,
    teller: Notifier,
    is_exposed: bool,
}

impl Postgres {
    /// Opens the pool, and starts what tells the other replicas: it ends when the last clone is dropped.
    /// Returns whether the database was empty too, for which `if_empty` is the error to return.
    pub(super) async fn open(
        address: PostgresAddress,
        pool_size: usize,
        if_empty: Option<OpenError>,
    ) -> Result<(Self, bool, JoinHandle<()>), StoreError> {
        let is_exposed = address.is_exposed();
        let connector = Arc::new(Connector::new(address).map_err(OpenError::Roots)?);
        let created = migrate(&connector, if_empty).await?;
        let connections = Connections::new(Arc::clone(&connector), pool_size)?;
        let (teller, telling) = Notifier::start(connections.clone());
        Ok((Self { connector, connections, teller, is_exposed }, created, telling))
    }

    /// Whether the trusted roots that an address names can be read.
    pub(super) fn check(address: PostgresAddress) -> Result<(), OpenError> {
        Connector::new(address).map(|_| ()).map_err(OpenError::Roots)
    }

    /// Whether what is sent to it can be read on the way to another machine.
    pub(super) fn is_exposed(&self) -> bool {
        self.is_exposed
    }

    /// How many connections there are.
    pub(super) fn pool_use(&self) -> PoolUse {
        self.connections.in_use()
    }

    /// Tells the other replicas that something was committed to the queue.
    pub(super) fn notify_replicas(&self, queue: Queue) {
        self.teller.tell(queue);
    }

    /// Wakes the workers of this process when another replica says so. Ends when the connection does.
    pub(super) async fn listen(&self, wakes: &Wakes) -> Result<(), StoreError> {
        word::listen(&self.connector, wakes).await
    }

    /// A connection of its own for as long as it is held.
    pub(super) async fn connection(&self) -> Result<Held, StoreError> {
        self.connections.take().await
    }

    /// Does a unit of work with a connection taken at `since`; `None` when it took longer than it may.
    pub(super) async fn bounded<T>(&self, since: Instant, work: impl Future<Output = T>) -> Option<T> {
        self.connections.bounded(since, work).await
    }

    pub(super) async fn begin(connection: &mut Conn) -> Result<(), StoreError> {
        Ok(Manager::begin_transaction(connection).await?)
    }

    /// Commits on `Ok`, rolls back on `Err`. A connection that is dropped before it gets here is not used again.
    pub(super) async fn end<T, E>(connection: &mut Conn, out: Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        match out {
            Ok(value) => {
                Manager::commit_transaction(connection).await.map_err(StoreError::from)?;
                Ok(value)
            }
            Err(error) => {
                // Where even this fails, the pool drops the connection, and the server rolls back.
                let _ = Manager::rollback_transaction(connection).await;
                Err(error)
            }
        }
    }
}

/// Replicas may start together: a lock, held until the connection closes, lets one migrate at a time.
async fn migrate(connector: &Connector, if_empty: Option<OpenError>) -> Result<bool, StoreError> {
    let connected = connector.connect_unbounded().await;
    let mut connection = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
    // Asked for again and again: a server that falls silent meanwhile is noticed.
    while !try_lock(&mut connection).await? {
        tokio::time::sleep(limits::MIGRATION_LOCK_ASKED_EVERY).await;
    }
    let no_table = diesel::select(sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NULL"));
    let empty: bool = answered(no_table.get_result(&mut connection)).await?;
    if empty && let Some(refused) = if_empty {
        return Err(refused.into()); // before the harness makes its own table
    }
    let run = move || migration::run(&mut AsyncMigrationHarness::new(connection), MIGRATIONS, if_empty);
    let done = tokio::task::spawn_blocking(run).await; // the harness blocks
    done.map_err(|panic| OpenError::Migration(panic.into()))??;
    Ok(empty)
}

async fn try_lock(connection: &mut Conn) -> Result<bool, StoreError> {
    answered(diesel::select(pg_try_advisory_lock(MIGRATION_LOCK)).get_result(connection)).await
}

async fn answered<T>(asked: impl Future<Output = diesel::QueryResult<T>>) -> Result<T, StoreError> {
    let answer = tokio::time::timeout(limits::DATABASE_WORK, asked).await;
    Ok(answer.map_err(|_| Outage::Silent(limits::DATABASE_WORK))??)
}
