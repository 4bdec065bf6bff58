//! PostgreSQL: diesel-async on tokio-postgres, with a deadpool of connections; no libpq.

use std::sync::Arc;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text};
use diesel_async::{AsyncConnection, AsyncMigrationHarness, AsyncPgConnection, TransactionManager};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use uuid::Uuid;

pub(super) use self::address::PostgresAddress;
use self::connect::Connector;
pub use self::dump::{DumpError, dump_postgres};
use self::insert_card::insert_rows;
use self::notify::Notifier;
use self::pool::Connections;
pub(super) use self::pool::TakenConnection;
use self::run_query_dsl::RunQueryDsl;
use self::shared::SharedConnections;
pub(super) use self::transfer::PostgresSide;
use super::database::{CallContext, PoolUse, Unit};
use super::delivery::row::AttemptRow;
use super::error::Outage;
use super::migration::{self, MigrationState};
use super::open::OpenError;
use super::prepared_query::prepared;
use super::schema::idempotency_keys;
use super::sql_type::{At, Id, TimestampSql, UuidSql};
use super::{Queue, QueueSignals, StoreError};
use crate::base::{Timestamp, limits};

mod address;
mod connect;
mod dump;
mod insert_card;
mod notify;
mod pool;
mod run_query_dsl;
mod shared;
mod tls;
mod transfer;

diesel::define_sql_function! {
    fn pg_try_advisory_lock(key: BigInt) -> Bool;
}

/// A shared reference, so that the statements of many lookups can be on their way (`shared.rs`).
type QueryConn<'a> = &'a AsyncPgConnection;
type Db = diesel::pg::Pg;
type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;

/// A join saves a round trip.
const JOINS: bool = true;

/// Replicas write concurrently, so rows need locks.
const LOCKS: bool = true;

/// Locks the rows until the transaction ends. Rows that refer to them can still be added.
macro_rules! locked {
    ($query:expr) => {
        $query.for_no_key_update()
    };
}

/// Whether the id in a column is in a list, which is one bound array.
macro_rules! among {
    ($column:expr, $ids:expr) => {
        $column.eq_any($ids)
    };
}

/// Locks the rows, and skips rows that another replica has locked.
macro_rules! skip_locked {
    ($query:expr) => {
        $query.for_no_key_update().skip_locked()
    };
}

#[path = "../queries.rs"]
pub(super) mod queries;

pub(super) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// The key of the advisory lock that lets one replica migrate at a time.
const MIGRATION_LOCK: i64 = 0x0ca4_d5e4;

/// Asks whether a transaction of this connection may write: not on a standby, nor with `default_transaction_read_only`.
pub(crate) async fn is_read_only(connection: &mut QueryConn<'_>) -> Result<bool, StoreError> {
    let setting = sql::<Bool>("current_setting('transaction_read_only')::boolean");
    Ok(diesel::select(setting).get_result(connection).await?)
}

/// Deletes the oldest claims that were made before `before`, up to a limit, and counts them.
pub(crate) async fn delete_claims_before(
    connection: &mut QueryConn<'_>,
    before: Timestamp,
) -> Result<usize, StoreError> {
    // When the last claim of the batch was made. All claims of that millisecond are deleted.
    let expired = idempotency_keys::table.filter(idempotency_keys::made_at.lt(At(before)));
    let sorted = expired.order(idempotency_keys::made_at).select(idempotency_keys::made_at);
    let last = sorted.offset(limits::IDEMPOTENCY_CLAIMS_DELETED_AT_ONCE - 1).limit(1);
    let last: Option<At> = last.get_result(connection).await.optional()?;
    Ok(match last {
        Some(last) => diesel::delete(expired.filter(idempotency_keys::made_at.le(last))).execute(connection).await?,
        None => diesel::delete(expired).execute(connection).await?,
    })
}

/// Writes the successes of deliveries that still have the lease of the attempt. Returns these deliveries and leases. One prepared
/// statement with an array for each column.
async fn write_successes(
    connection: &mut QueryConn<'_>,
    successes: Vec<(Id, AttemptRow)>,
    now: Timestamp,
) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    #[derive(diesel::QueryableByName)]
    struct Written {
        #[diesel(sql_type = UuidSql)]
        id: Id,
        #[diesel(sql_type = UuidSql)]
        of_lease: Id,
    }
    fn column<'a, T>(rows: &'a [(Id, AttemptRow)], value: impl Fn(&'a AttemptRow) -> T) -> Vec<T> {
        rows.iter().map(|(_, row)| value(row)).collect()
    }
    let update = diesel::sql_query(
        "UPDATE deliveries
         SET state = 'DELIVERED', due_at = NULL, lease = NULL, leased_until = NULL, finished_at = $1,
             attempt_count = attempt_count + 1, schedule_step = schedule_step + 1,
             success_started_at = started_at, success_duration_ms = duration_ms, success_status = status
         FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::bigint[], $6::integer[])
             AS success (delivery_id, of_lease, started_at, duration_ms, status)
         WHERE id = delivery_id AND lease = of_lease
         RETURNING id, of_lease",
    )
    .bind::<TimestampSql, _>(At(now))
    .bind::<Array<UuidSql>, _>(column(&successes, |row| row.delivery_id))
    .bind::<Array<UuidSql>, _>(successes.iter().map(|(lease, _)| *lease).collect::<Vec<_>>())
    .bind::<Array<TimestampSql>, _>(column(&successes, |row| row.started_at))
    .bind::<Array<BigInt>, _>(column(&successes, |row| row.duration_ms))
    .bind::<Array<Nullable<Integer>>, _>(column(&successes, |row| row.status));
    let written: Vec<Written> = prepared!(update).load(connection).await?;
    Ok(written.into_iter().map(|row| (row.id.0, row.of_lease.0)).collect())
}

/// A database on a PostgreSQL server; cheap to clone.
#[derive(Clone)]
pub(super) struct Postgres {
    connector: Arc<Connector>,
    connections: Connections,
    shared: Arc<SharedConnections>,
    notifier: Notifier,
    is_exposed: bool,
}

impl Postgres {
    /// Opens the pool, and starts the task that notifies the other replicas, which ends when the last clone is dropped.
    /// Also returns whether the database was empty. If it is empty and `if_empty` is set, returns that error.
    pub(super) async fn open(
        address: PostgresAddress,
        pool_size: usize,
        if_empty: Option<OpenError>,
        migrate: bool,
    ) -> Result<(Self, bool, JoinHandle<()>), StoreError> {
        let is_exposed = address.is_exposed();
        let connector = Arc::new(Connector::new(address).map_err(OpenError::Roots)?);
        let created = self::migrate(&connector, if_empty, migrate).await?;
        let connections = Connections::new(Arc::clone(&connector), pool_size)?;
        let shared = Arc::new(SharedConnections::new(Arc::clone(&connector)));
        let (notifier, notifying) = Notifier::start(connections.clone());
        let postgres = Self { connector, connections, shared, notifier, is_exposed };
        Ok((postgres, created, notifying))
    }

    /// Returns the migrations of the database and of this program, or `if_empty` if it has no tables.
    pub(super) async fn migrations(
        address: PostgresAddress,
        if_empty: OpenError,
    ) -> Result<Vec<MigrationState>, StoreError> {
        let connector = Connector::new(address).map_err(OpenError::Roots)?;
        let connected = connector.connect_unbounded().await;
        let mut connection = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
        if is_empty(&mut connection).await? {
            return Err(if_empty.into());
        }
        let read = move || migration::states(&mut AsyncMigrationHarness::new(connection), &MIGRATIONS);
        let states = tokio::task::spawn_blocking(read).await; // the harness blocks
        Ok(states.map_err(|panic| OpenError::Migration(panic.into()))??)
    }

    /// Returns an error if the trusted roots of the address cannot be read.
    pub(super) fn check(address: PostgresAddress) -> Result<(), OpenError> {
        Connector::new(address).map(|_| ()).map_err(OpenError::Roots)
    }

    /// Returns whether the connection leaves this machine without TLS.
    pub(super) fn is_exposed(&self) -> bool {
        self.is_exposed
    }

    /// Returns the state of the pool.
    pub(super) fn pool_use(&self) -> PoolUse {
        self.connections.in_use()
    }

    /// Notifies the other replicas of a commit to the queue.
    pub(super) fn notify_replicas(&self, queue: Queue) {
        self.notifier.notify(queue);
    }

    /// Wakes the workers of this process when another replica notifies a queue. Returns when the connection fails.
    pub(super) async fn listen(&self, signals: &QueueSignals) -> Result<(), StoreError> {
        notify::listen(&self.connector, signals).await
    }

    /// Takes a connection from the pool.
    pub(super) async fn connection(&self) -> Result<TakenConnection, StoreError> {
        self.connections.take().await
    }

    /// Runs SELECTs on a connection of the pool.
    pub(super) async fn read<T, E>(
        &self,
        context: &CallContext,
        unit: impl AsyncFnOnce(&mut QueryConn<'_>) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<StoreError> + std::error::Error,
    {
        let read = async {
            let held = self.connection().await?;
            let out = self.run_bounded(held.since(), unit(&mut &*held)).await;
            self.settle(held, out)
        };
        context.run(read).await
    }

    /// Runs a write on a connection of the pool. If the context has an audit entry and `did_something` returns true for the result, the
    /// entry is added in the same transaction.
    pub(super) async fn write<T, E>(
        &self,
        context: &CallContext,
        unit: Unit,
        did_something: impl FnOnce(&T) -> bool,
        work: impl AsyncFnOnce(&mut QueryConn<'_>) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<StoreError> + std::error::Error,
    {
        let write = async {
            let mut held = self.connection().await?;
            let since = held.since();
            let work = async {
                let c = &mut *held;
                let is_transaction = context.audited(unit) == Unit::Transaction;
                if is_transaction {
                    Self::begin(c).await?;
                }
                let out = work(&mut &*c).await;
                let out = queries::record(&mut &*c, context.audit.clone(), did_something, out).await;
                if is_transaction { Self::end(c, out).await } else { out }
            };
            let out = self.run_bounded(since, work).await;
            self.settle(held, out)
        };
        context.run(write).await
    }

    /// Runs a unit of work with a connection that was taken at `since`. Returns `None` if it takes too long.
    pub(super) fn run_bounded<T, E>(
        &self,
        since: Instant,
        work: impl Future<Output = Result<T, E>>,
    ) -> impl Future<Output = Option<Result<T, E>>> {
        self.connections.run_bounded(since, work)
    }

    /// Returns a connection to the pool after a unit of work, or closes it.
    pub(super) fn settle<T, E>(&self, held: TakenConnection, out: Option<Result<T, E>>) -> Result<T, E>
    where
        E: From<StoreError> + std::error::Error,
    {
        self.connections.settle(held, out)
    }

    pub(super) async fn begin(connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
        Ok(Manager::begin_transaction(connection).await?)
    }

    /// Commits on `Ok`, rolls back on `Err`. The pool drops a connection that is returned inside a transaction.
    pub(super) async fn end<T, E>(connection: &mut AsyncPgConnection, out: Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        match out {
            Ok(value) => {
                Manager::commit_transaction(connection).await.map_err(StoreError::from)?;
                Ok(value)
            }
            Err(error) => {
                // An error: the pool drops the connection, and the server rolls back.
                let _ = Manager::rollback_transaction(connection).await;
                Err(error)
            }
        }
    }
}

/// Runs the migrations under an advisory lock, which is released when the connection closes: replicas may start
/// together. Without `migrate`, a pending one is an error. Returns whether the database was empty.
async fn migrate(connector: &Connector, if_empty: Option<OpenError>, migrate: bool) -> Result<bool, StoreError> {
    let connected = connector.connect_unbounded().await;
    let mut connection = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
    require_writable_utf8(&mut connection).await?;
    // Polls instead of waiting, to notice a server that stops answering.
    while !try_lock(&mut connection).await? {
        tokio::time::sleep(limits::MIGRATION_LOCK_TRIED_EVERY).await;
    }
    let empty = is_empty(&mut connection).await?;
    if empty && let Some(refused) = if_empty {
        return Err(refused.into()); // before the harness makes its own table
    }
    let run =
        move || migration::run(&mut AsyncMigrationHarness::new(connection), MIGRATIONS, if_empty, migrate || empty);
    let done = tokio::task::spawn_blocking(run).await; // the harness blocks
    done.map_err(|panic| OpenError::Migration(panic.into()))??;
    Ok(empty)
}

/// Returns an error if the database cannot hold every text, or takes no writes. SQL_ASCII holds the bytes of UTF-8 unchecked.
async fn require_writable_utf8(connection: &mut AsyncPgConnection) -> Result<(), StoreError> {
    let encoding = sql::<Text>("current_setting('server_encoding')");
    let is_read_only = sql::<Bool>("current_setting('transaction_read_only')::boolean");
    let state = diesel::select((encoding, is_read_only, sql::<Bool>("pg_is_in_recovery()")));
    let (encoding, is_read_only, is_standby): (String, bool, bool) =
        in_time(state.get_result(&mut &*connection)).await?;
    match encoding.as_str() {
        _ if is_standby => Err(OpenError::Standby.into()),
        "UTF8" | "SQL_ASCII" if is_read_only => Err(OpenError::ReadOnly.into()),
        "UTF8" | "SQL_ASCII" => Ok(()),
        _ => Err(OpenError::Encoding(encoding).into()),
    }
}

/// Whether the database has no tables of this service.
async fn is_empty(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    let no_table = diesel::select(sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NULL"));
    in_time(no_table.get_result(&mut &*connection)).await
}

async fn try_lock(connection: &mut AsyncPgConnection) -> Result<bool, StoreError> {
    in_time(diesel::select(pg_try_advisory_lock(MIGRATION_LOCK)).get_result(&mut &*connection)).await
}

async fn in_time<T>(asked: impl Future<Output = diesel::QueryResult<T>>) -> Result<T, StoreError> {
    let answer = tokio::time::timeout(limits::DATABASE_WORK, asked).await;
    Ok(answer.map_err(|_| Outage::TimedOut(limits::DATABASE_WORK))??)
}
