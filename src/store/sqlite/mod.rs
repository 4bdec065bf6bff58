//! SQLite: synchronous diesel connections. Reads run on the calling thread, writes on one thread with group commit.
//!
//! The [`RunQueryDsl`] here has the signatures of diesel-async's, runs the statement at once and returns a ready
//! future. So `queries.rs` serves both engines, and a unit of work never waits and cannot be cancelled.

mod among;
mod backup;
mod connection;
mod create;
mod identity;
mod reader_pool;
mod run_query_dsl;
mod transfer;
mod version;
mod writer;

use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::slice;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use diesel::prelude::*;
use diesel::result::Error as DieselError;
use diesel::sql_types::{BigInt, Integer, Nullable};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use tokio::sync::mpsc;
use uuid::Uuid;

pub(super) use self::backup::restore;
pub use self::backup::{BackupContents, BackupDraft, BackupError, backup_part, verify_backup};
use self::connection::DatabaseFile;
use self::queries::NewCardRows;
use self::reader_pool::ReaderPool;
use self::run_query_dsl::RunQueryDsl;
pub(super) use self::transfer::SqliteSide;
use self::writer::WriteJob;
pub(super) use self::writer::WriterEnd;
use super::StoreError;
use super::card::{InsertCardError, NewCard};
use super::database::{CallContext, Unit};
use super::delivery::row::AttemptRow;
use super::migration::{self, MigrationState};
use super::open::OpenError;
use super::prepared_query::prepared;
use super::sql_type::{At, Id, TimestampSql, UuidSql};
use crate::base::{Progress, Timestamp, limits};
use crate::model::Card;

/// The suffixes of the files of a database: the file itself, its log with an index, and its id (`identity.rs`).
pub const FILE_SUFFIXES: [&str; 4] = ["", "-wal", "-shm", identity::ID_SUFFIX];

type Conn = SqliteConnection;
/// The connection of a query; on PostgreSQL it borrows.
type QueryConn<'a> = Conn;
type Db = diesel::sqlite::Sqlite;

/// After ANALYZE, SQLite plans a join again at each call: two queries of single tables are cheaper.
const JOINS: bool = false;

/// There is one writer, so rows need no locks.
const LOCKS: bool = false;

/// Returns the query unchanged: there is one writer.
macro_rules! locked {
    ($query:expr) => {
        $query
    };
}

/// Whether the id in a column is in a list.
macro_rules! among {
    ($column:expr, $ids:expr) => {
        $crate::store::sqlite::among::Among::new($column, $ids)
    };
}

/// Returns the query unchanged: there is one writer.
macro_rules! skip_locked {
    ($query:expr) => {
        $query
    };
}

#[path = "../queries.rs"]
pub(super) mod queries;

pub(super) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/sqlite");

/// Asks for a constant. SQLite is not read-only by a setting.
pub(crate) async fn is_read_only(connection: &mut Conn) -> Result<bool, StoreError> {
    let one: i32 = RunQueryDsl::get_result(diesel::select(1_i32.into_sql::<Integer>()), connection).await?;
    Ok(one == 0)
}

/// Inserts a card with its event, deliveries and claim, a statement for each row.
async fn insert_rows(connection: &mut Conn, rows: NewCardRows) -> Result<(), InsertCardError> {
    RunQueryDsl::perform(prepared!(rows.card), connection).await?;
    if let Some(claim) = rows.claim {
        RunQueryDsl::perform(prepared!(claim), connection).await?;
    }
    RunQueryDsl::perform(prepared!(rows.event), connection).await?;
    Ok(queries::insert_deliveries(connection, rows.deliveries).await?)
}

/// Writes the successes of deliveries that still have the lease of the attempt. Returns these deliveries and leases. Each by the same
/// prepared statement.
async fn write_successes(
    connection: &mut Conn,
    successes: Vec<(Id, AttemptRow)>,
    now: Timestamp,
) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
    let mut written = Vec::new();
    for (lease, AttemptRow { delivery_id, started_at, duration_ms, status, .. }) in successes {
        let update = diesel::sql_query(
            "UPDATE deliveries
             SET state = 'DELIVERED', due_at = NULL, lease = NULL, leased_until = NULL, finished_at = ?,
                 attempt_count = attempt_count + 1, schedule_step = schedule_step + 1,
                 success_started_at = ?, success_duration_ms = ?, success_status = ?
             WHERE id = ? AND lease = ?",
        )
        .bind::<TimestampSql, _>(At(now))
        .bind::<TimestampSql, _>(started_at)
        .bind::<BigInt, _>(duration_ms)
        .bind::<Nullable<Integer>, _>(status)
        .bind::<UuidSql, _>(delivery_id)
        .bind::<UuidSql, _>(lease);
        if RunQueryDsl::execute(prepared!(update), connection).await? == 1 {
            written.push((delivery_id.0, lease.0));
        }
    }
    Ok(written)
}

/// Deletes the oldest claims that were made before `before`, up to a limit, and counts them. Their rowids grow with time, so that
/// a new card writes no index on the time.
pub(crate) async fn delete_claims_before(connection: &mut Conn, before: Timestamp) -> Result<usize, StoreError> {
    let oldest = "DELETE FROM idempotency_keys
        WHERE made_at < ? AND rowid < (SELECT min(rowid) FROM idempotency_keys) + ?";
    let delete = diesel::sql_query(oldest).bind::<TimestampSql, _>(At(before));
    let delete = delete.bind::<BigInt, _>(limits::IDEMPOTENCY_CLAIMS_DELETED_AT_ONCE);
    Ok(RunQueryDsl::execute(delete, connection).await?)
}

/// The readers, and the queue of the writer; cheap to clone.
#[derive(Clone)]
pub(super) struct Sqlite {
    file: Arc<DatabaseFile>,
    readers: Arc<ReaderPool>,
    /// When the last sender is dropped, the writer closes the readers and then its own connection, which empties the
    /// log.
    writer: mpsc::Sender<Box<dyn WriteJob>>,
}

impl Sqlite {
    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Locks the file for the server of this process. Returns whether no other server has locked it.
    pub(super) fn lock_for_server(&self) -> std::io::Result<bool> {
        self.file.lock_for_server()
    }

    /// Returns an error if the file is missing or empty.
    pub(super) fn require(path: &Path) -> Result<(), OpenError> {
        create::require(&DatabaseFile::new(path)?)
    }

    /// Returns the migrations of the file and of this program. Blocks.
    pub(super) fn migrations(path: &Path) -> Result<Vec<MigrationState>, StoreError> {
        let file = DatabaseFile::new(path)?;
        create::ensure(&file, false, false)?;
        let mut connection = file.writer().map_err(|source| file.refuse(source))?;
        Ok(migration::states(&mut connection, &MIGRATIONS)?)
    }

    /// Opens the file, or creates a missing one if `create` is set, migrates it if `migrate` is set, and starts the writer.
    /// A damaged one is refused if `examine` is set. Also returns whether it was created. Blocks.
    pub(super) fn open(
        path: &Path,
        create: bool,
        migrate: bool,
        examine: bool,
    ) -> Result<(Self, bool, WriterEnd), StoreError> {
        let file = Arc::new(DatabaseFile::new(path)?);
        let created = create::ensure(&file, create, examine)?;
        let mut connection = file.writer().map_err(|source| file.refuse(source))?;
        version::require(&mut connection)?;
        let claimed = identity::claim_log(&file, &mut connection).and_then(|()| file.watch());
        claimed.map_err(|source| file.refuse(source))?;
        // A second process that opens the file at the same time waits here, and then has nothing to migrate.
        self::migrate(&mut connection, migrate)?;
        let (queue, jobs) = mpsc::channel(limits::WRITES_WAITING_MAX);
        let readers = Arc::new(ReaderPool::new(&file));
        let end =
            writer::start(Arc::clone(&file), Arc::clone(&readers), connection, jobs).map_err(OpenError::Thread)?;
        Ok((Self { file, readers, writer: queue }, created, end))
    }

    /// Runs SELECTs on the calling thread.
    pub(super) async fn read<T, E>(
        &self,
        context: &CallContext,
        unit: impl AsyncFnOnce(&mut Conn) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        let read = async {
            self.file.check_known().map_err(StoreError::from)?;
            let mut connection = self.readers.take().map_err(StoreError::Unavailable)?;
            let out = run_to_end(unit(&mut connection));
            self.readers.give_back(connection);
            out
        };
        context.run(read).await
    }

    /// Runs SELECTs of a few rows by an index, as [`Sqlite::read`] does.
    pub(super) async fn run_shared<T>(
        &self,
        context: &CallContext,
        unit: impl AsyncFnOnce(&mut Conn) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read(context, unit).await
    }

    /// Runs a unit of work on the writer, and returns its result when it is on disk. If the context has an audit entry and
    /// `did_something` returns true for the result, the entry is added with it.
    ///
    /// The unit is queued and runs even if the caller drops the future.
    pub(super) async fn write<T, E, F>(
        &self,
        context: &CallContext,
        unit: Unit,
        did_something: impl FnOnce(&T) -> bool + Send + 'static,
        work: F,
    ) -> Result<T, E>
    where
        F: AsyncFnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let audit = context.audit.clone();
        let work = async move |c: &mut Conn| {
            let out = work(c).await;
            queries::record(c, audit, did_something, out).await
        };
        context.run(self.run_unit(context.audited(unit), work)).await
    }

    /// Inserts a card, with what comes with it, in one transaction. Also returns whether any delivery was enqueued.
    pub(super) async fn create_card(
        &self,
        context: &CallContext,
        new: Arc<NewCard>,
        public_base: Arc<str>,
    ) -> Result<(Arc<Card>, bool), InsertCardError> {
        let insert = async move |c: &mut Conn| {
            let (card, event) = new.first_event();
            let deliveries = queries::new_deliveries(c, &card, slice::from_ref(&event), &public_base).await?;
            let enqueued = !deliveries.is_empty();
            queries::insert_card(c, &card, event, deliveries, new.claim.as_ref()).await?;
            Ok((Arc::new(card), enqueued))
        };
        self.write(context, Unit::Transaction, |_| true, insert).await
    }

    /// Writes a copy of the database into a new file, while writes continue. Blocks.
    pub(super) fn back_up(&self, to: &Path, progress: &Progress) -> Result<BackupDraft, BackupError> {
        backup::back_up(&self.file, to, progress)
    }
}

/// Returns the result of a future that is ready at once.
fn run_to_end<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(out) => out,
        Poll::Pending => panic!("a unit of work waited for something other than SQLite"),
    }
}

/// Runs the migrations in a transaction; without `migrate`, a pending one is an error.
fn migrate(connection: &mut Conn, migrate: bool) -> Result<(), StoreError> {
    let run = |connection: &mut Conn| migration::run(connection, MIGRATIONS, None, migrate).map_err(Migrating::Refused);
    connection.immediate_transaction(run).map_err(StoreError::from)
}

/// The error of diesel's transaction: ours, or diesel's own.
enum Migrating {
    Refused(OpenError),
    Diesel(DieselError),
}

impl From<DieselError> for Migrating {
    fn from(error: DieselError) -> Self {
        Migrating::Diesel(error)
    }
}

impl From<Migrating> for StoreError {
    fn from(error: Migrating) -> Self {
        match error {
            Migrating::Refused(error) => error.into(),
            Migrating::Diesel(error) => error.into(),
        }
    }
}
