//! PostgreSQL: diesel-async on tokio-postgres, in a deadpool; no libpq.

use diesel::dsl::sql;
use diesel::sql_types::Bool;
use diesel_async::pooled_connection::deadpool::{Object, Pool};
use diesel_async::pooled_connection::{AsyncDieselConnectionManager, ManagerConfig, RecyclingMethod};
use diesel_async::{AsyncConnection, AsyncMigrationHarness, AsyncPgConnection, SimpleAsyncConnection};
use diesel_async::{RunQueryDsl, TransactionManager};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::task::JoinHandle;

use self::word::Teller;
use super::error::Outage;
use super::migration;
use super::open::OpenError;
use super::{PoolUse, Queue, StoreError, Wakes};
use crate::base::limits;

mod word;

type Conn = AsyncPgConnection;
type Db = diesel::pg::Pg;
type Manager = <Conn as AsyncConnection>::TransactionManager;

/// A joined statement spares a round trip.
const JOINS: bool = true;

/// Replicas write side by side.
const LOCKS: bool = true;

/// While replicas are replaced one by one, those of the release before go on, and they read bodies in their deliveries
/// alone. The next release may say true.
const BODIES_APART: bool = false;

/// Keeps the row from other writers until the transaction ends. Rows that refer to it can still be added.
macro_rules! locked {
    ($query:expr) => {
        $query.for_no_key_update()
    };
}

/// Inserts rows, but for those that are there already: one statement for all of them.
macro_rules! insert_absent {
    ($connection:expr, $table:expr, $rows:expr, $mark:expr) => {{
        let _ = $mark; // it varies with the number of rows, and is not kept
        diesel::insert_into($table).values($rows).on_conflict_do_nothing().execute($connection).await?;
    }};
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

/// A pool of connections; cheap to clone.
#[derive(Clone)]
pub struct Postgres {
    url: Arc<str>,
    pool: Pool<Conn>,
    teller: Teller,
}

impl Postgres {
    /// Opens the pool, and starts what tells the other replicas: it ends when the last clone is dropped.
    /// Returns whether the database was empty too, for which `if_empty` is the error to return.
    pub(super) async fn open(
        url: &str,
        pool_size: usize,
        if_empty: Option<OpenError>,
    ) -> Result<(Self, bool, JoinHandle<()>), StoreError> {
        let created = migrate(url, if_empty).await?;
        let mut config = ManagerConfig::default();
        // Fast still drops a connection that is closed or left inside a transaction; Verified costs a round trip more.
        config.recycling_method = RecyclingMethod::Fast;
        config.custom_setup = Box::new(|url| connect(url).boxed());
        let manager = AsyncDieselConnectionManager::<Conn>::new_with_config(url, config);
        let pool = Pool::builder(manager).max_size(pool_size).build();
        let pool = pool.map_err(|error| StoreError::Failed(error.into()))?;
        let (teller, telling) = Teller::start(pool.clone());
        Ok((Self { url: url.into(), pool, teller }, created, telling))
    }

    /// How many connections there are.
    pub(super) fn pool_use(&self) -> PoolUse {
        let status = self.pool.status();
        PoolUse { max: status.max_size, open: status.size, idle: status.available }
    }

    /// Tells the other replicas that something was committed to the queue.
    pub(super) fn tell_others(&self, queue: Queue) {
        self.teller.tell(queue);
    }

    /// Wakes the workers of this process when another replica says so. Ends when the connection does.
    pub(super) async fn listen(&self, wakes: &Wakes) -> Result<(), StoreError> {
        word::listen(&self.url, wakes).await
    }

    /// A connection of its own for as long as it is held.
    pub(super) async fn connection(&self) -> Result<Object<Conn>, StoreError> {
        match tokio::time::timeout(limits::DATABASE_WAIT, self.pool.get()).await {
            Ok(connection) => connection.map_err(|error| StoreError::Unavailable(error.into())),
            Err(_) => Err(Outage::PoolExhausted(limits::DATABASE_WAIT).into()),
        }
    }

    pub(super) async fn begin(&self) -> Result<Object<Conn>, StoreError> {
        let mut connection = self.connection().await?;
        Manager::begin_transaction(&mut *connection).await?;
        Ok(connection)
    }

    /// Commits on `Ok`, rolls back on `Err`. A connection that is dropped before it gets here is not used again.
    pub(super) async fn end<T, E>(mut connection: Object<Conn>, out: Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        match out {
            Ok(value) => {
                Manager::commit_transaction(&mut *connection).await.map_err(StoreError::from)?;
                Ok(value)
            }
            Err(error) => {
                // Where even this fails, the pool drops the connection, and the server rolls back.
                let _ = Manager::rollback_transaction(&mut *connection).await;
                Err(error)
            }
        }
    }
}

/// A connection for the pool. What a statement may take is bounded, because one that nobody waits for any more keeps
/// its connection busy. The isolation level is what the queries are written for, whatever the server's default is.
async fn connect(url: &str) -> diesel::ConnectionResult<Conn> {
    let mut connection = Conn::establish(url).await?;
    let setup = format!(
        "SET statement_timeout = {}; SET default_transaction_isolation = 'read committed'",
        limits::STATEMENT_WORK.as_millis()
    );
    connection.batch_execute(&setup).await.map_err(diesel::ConnectionError::CouldntSetupConfiguration)?;
    Ok(connection)
}

/// Replicas may start together: a lock, held until the connection closes, lets one migrate at a time.
async fn migrate(url: &str, if_empty: Option<OpenError>) -> Result<bool, StoreError> {
    let connected = tokio::time::timeout(limits::DATABASE_WAIT, Conn::establish(url)).await;
    let mut connection = connected
        .map_err(|_| Outage::ConnectTimeOut(limits::DATABASE_WAIT))?
        .map_err(|error| StoreError::Unavailable(error.into()))?;
    connection.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})")).await?;
    let no_table = diesel::select(sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NULL"));
    let empty: bool = no_table.get_result(&mut connection).await?;
    if empty && let Some(refused) = if_empty {
        return Err(refused.into()); // before the harness makes its own table
    }
    let run = move || migration::run(&mut AsyncMigrationHarness::new(connection), MIGRATIONS, if_empty);
    let done = tokio::task::spawn_blocking(run).await; // the harness blocks
    done.map_err(|panic| OpenError::Migration(panic.into()))??;
    Ok(empty)
}
