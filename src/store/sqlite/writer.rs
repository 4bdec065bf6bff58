//! The writer thread, with group commit: units of work that wait in the queue share one transaction and its flush to disk, which
//! takes longer than the units themselves.
//!
//! The thread takes the first unit, and every other that is queued then; it waits for none. Each but the first runs in a
//! savepoint, so a unit that fails undoes only its own writes; SQLite rolls back a failed
//! statement by itself. Then the batch is committed, and only then each caller gets its result. For example, with units of several
//! statements:
//!
//! | time | queue | writer |
//! |---|---|---|
//! | 0 | A | BEGIN, A, COMMIT |
//! | 1, during the flush | B, C, D | |
//! | 2 | | BEGIN, B, C (fails: ROLLBACK TO), D, COMMIT |
//! | 3 | | B and D succeed, C gets its error |
//!
//! So a batch grows with the load by itself, and an idle server commits at once. If the commit fails, no caller of the batch gets a
//! success: each gets [`Outage::BatchLost`](crate::store::error::Outage::BatchLost). PostgreSQL groups its flushes in the same way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_query;
use tokio::sync::{mpsc, oneshot};

use super::connection::DatabaseFile;
use super::reader_pool::ReaderPool;
use super::run_query_dsl::run;
use super::{Conn, Sqlite, run_to_end};
use crate::base::limits;
use crate::store::StoreError;
use crate::store::database::Unit;
use crate::store::error::{Outage, Panicked};
use crate::store::prepared_query::prepared;

impl Sqlite {
    /// Runs a unit of work on the writer, all or nothing, and returns its result when it is on disk.
    ///
    /// The unit is queued and runs even if the caller drops the future.
    pub(in crate::store) async fn run_unit<T, E, F>(&self, kind: Unit, work: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&mut Conn) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job = Box::new(QueuedUnit { kind, work: Some(work), result: None, answer });
        self.writer.send(job).await.map_err(|_| StoreError::from(Outage::WriterStopped))?;
        answered.await.map_err(|_| StoreError::from(Panicked))?
    }

    /// Returns an error if the writer has ended, or another file has taken the place of the database.
    pub(in crate::store) fn check_writer(&self) -> Result<(), StoreError> {
        self.file.check()?;
        if self.writer.is_closed() { Err(Outage::WriterStopped.into()) } else { Ok(()) }
    }
}

/// A unit of work on the queue of the writer.
pub(super) trait WriteJob: Send {
    fn kind(&self) -> Unit;

    /// Runs the unit inside the open transaction. Returns whether to keep what it wrote.
    fn run(&mut self, connection: &mut Conn) -> bool;

    /// Sends the result to the caller. An error says why the batch was lost.
    fn respond(self: Box<Self>, batch: Result<(), &str>);
}

/// A unit with the channel to its caller.
struct QueuedUnit<F, T, E> {
    kind: Unit,
    /// `None` once it has run.
    work: Option<F>,
    /// `None` until it has run, and if it panicked.
    result: Option<Result<T, E>>,
    answer: oneshot::Sender<Result<T, E>>,
}

impl<F, T, E> WriteJob for QueuedUnit<F, T, E>
where
    F: AsyncFnOnce(&mut Conn) -> Result<T, E> + Send,
    T: Send,
    E: From<StoreError> + Send,
{
    fn kind(&self) -> Unit {
        self.kind
    }

    fn run(&mut self, connection: &mut Conn) -> bool {
        self.result = self.work.take().map(|work| run_to_end(work(connection)));
        matches!(self.result, Some(Ok(_)))
    }

    fn respond(self: Box<Self>, batch: Result<(), &str>) {
        // The result of a lost batch was computed from a state that was never committed. An error that lost it says why.
        let result = match batch {
            Ok(()) => self.result,
            Err(reason) => Some(Err(StoreError::from(Outage::BatchLost(reason.to_owned())).into())),
        };
        if let Some(result) = result {
            let _ = self.answer.send(result); // an error: the caller dropped its future
        }
    }
}

/// Resolves when the writer has ended.
#[derive(Debug)]
pub(in crate::store) struct WriterEnd(oneshot::Receiver<()>);

impl WriterEnd {
    /// Waits for the writer to close its connection, which it does when every sender of its queue is dropped.
    pub(in crate::store) async fn wait(self) {
        let _ = self.0.await; // an error: the thread has dropped its end
    }
}

/// Starts the writer on `connection`.
pub(super) fn start(
    file: Arc<DatabaseFile>,
    readers: Arc<ReaderPool>,
    connection: Conn,
    jobs: mpsc::Receiver<Box<dyn WriteJob>>,
) -> std::io::Result<WriterEnd> {
    let (ended, end) = oneshot::channel();
    let run = move || {
        Writer { _readers: readers, file, connection: Some(connection), jobs }.run();
        let _ = ended.send(());
    };
    std::thread::Builder::new().name("sqlite-writer".into()).spawn(run)?;
    Ok(WriterEnd(end))
}

struct Writer {
    /// The first field, so that the readers are closed before the writer's connection.
    _readers: Arc<ReaderPool>,
    file: Arc<DatabaseFile>,
    /// `None` after a lost batch, until the file can be opened again.
    connection: Option<Conn>,
    jobs: mpsc::Receiver<Box<dyn WriteJob>>,
}

impl Writer {
    fn run(mut self) {
        while let Some(first) = self.jobs.blocking_recv() {
            let mut batch = Vec::new();
            let result = self.write(first, &mut batch);
            if result.is_err() {
                self.close(); // which rolls back
            }
            for job in batch {
                job.respond(result.as_ref().map(|&()| ()).map_err(String::as_str));
            }
        }
        self.close();
    }

    /// Closes the connection. The last one of a file applies the log, which must not happen to another file: then it stays open until the
    /// process ends.
    fn close(&mut self) {
        let connection = self.connection.take();
        if self.file.check().is_err() {
            std::mem::forget(connection);
        }
    }

    /// Runs the first job and the queued ones in one transaction, and adds them to `batch`.
    fn write(&mut self, first: Box<dyn WriteJob>, batch: &mut Vec<Box<dyn WriteJob>>) -> Result<(), String> {
        let Self { file, connection, jobs, .. } = self;
        let queued = std::iter::from_fn(|| jobs.try_recv().ok());
        let jobs = std::iter::once(first).chain(queued).take(limits::WRITES_PER_COMMIT_MAX);
        let text = |error: Error| error.to_string();
        let opened = file.check().map_err(|outage| outage.to_string()).and_then(|()| open(file, connection));
        match opened.and_then(|connection| begin(connection).map(|()| connection).map_err(text)) {
            Ok(connection) => run_batch(connection, jobs, batch).map_err(text),
            Err(reason) => {
                batch.extend(jobs); // they would fail for the same reason
                Err(reason)
            }
        }
    }
}

fn open<'a>(file: &DatabaseFile, connection: &'a mut Option<Conn>) -> Result<&'a mut Conn, String> {
    Ok(match connection {
        Some(connection) => connection,
        closed => closed.insert(file.writer().map_err(|error| error.to_string())?),
    })
}

/// Runs the jobs, up to a statement that fails, adds them to `batch`, and commits. An error means that the batch is lost.
fn run_batch(
    connection: &mut Conn,
    jobs: impl Iterator<Item = Box<dyn WriteJob>>,
    batch: &mut Vec<Box<dyn WriteJob>>,
) -> QueryResult<()> {
    for mut job in jobs {
        let kind = job.kind();
        let done = match (kind, batch.is_empty()) {
            (Unit::Statement, _) => run_bare(connection, &mut job),
            (Unit::Transaction, true) => run_first(connection, &mut job),
            (Unit::Transaction, false) => run_in_savepoint(connection, &mut job),
        };
        batch.push(job);
        if done.is_err() && kind == Unit::Statement {
            break; // it has undone its own writes, or, on a full disk, the transaction's: then there is nothing to commit
        }
        done?;
    }
    run(prepared!(sql_query("COMMIT")), connection)
}

fn begin(connection: &mut Conn) -> QueryResult<()> {
    run(prepared!(sql_query("BEGIN IMMEDIATE")), connection)
}

/// Runs a job. Returns whether to keep what it wrote. A job that panics has no result: its caller sees the channel close.
fn run_caught(connection: &mut Conn, job: &mut Box<dyn WriteJob>) -> bool {
    catch_unwind(AssertUnwindSafe(|| job.run(connection))).unwrap_or(false)
}

/// Runs a job without a savepoint. An error means that it failed or panicked.
fn run_bare(connection: &mut Conn, job: &mut Box<dyn WriteJob>) -> QueryResult<()> {
    let failed = || Error::QueryBuilderError("another unit of its batch failed".into());
    run_caught(connection, job).then_some(()).ok_or_else(failed)
}

/// Runs the first job of a batch, and begins the transaction again if the job fails or panics: there is nothing else to keep.
fn run_first(connection: &mut Conn, job: &mut Box<dyn WriteJob>) -> QueryResult<()> {
    if !run_caught(connection, job) {
        run(prepared!(sql_query("ROLLBACK")), connection)?;
        begin(connection)?;
    }
    Ok(())
}

/// Runs a job in a savepoint, and rolls that back if the job fails or panics.
///
/// An error means that the batch is lost: on a full or failing disk SQLite rolls back the whole transaction, and the
/// savepoint with it.
fn run_in_savepoint(connection: &mut Conn, job: &mut Box<dyn WriteJob>) -> QueryResult<()> {
    run(prepared!(sql_query("SAVEPOINT unit")), connection)?;
    if !run_caught(connection, job) {
        run(prepared!(sql_query("ROLLBACK TO unit")), connection)?;
    }
    run(prepared!(sql_query("RELEASE unit")), connection)
}
