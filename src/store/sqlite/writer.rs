//! The one thread that writes: it takes what waits, runs one unit after another, and commits the batch once, so that all
//! of them share one flush of the disk.
//!
//! A unit that fails must take nothing of its neighbours with it. A savepoint around each would see to that, at a sixth of
//! the price of a write: SQLite copies every page that changes inside one. Units rarely fail. So a batch is first run
//! without savepoints; when a unit of it fails, all is undone, and the batch runs again with them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use diesel::connection::{AnsiTransactionManager as Manager, TransactionManager};
use diesel::prelude::*;
use diesel::sql_query;
use tokio::sync::{mpsc, oneshot};

use super::Conn;
use super::connection::DatabaseFile;
use super::readers::Readers;
use super::run_query_dsl::run;
use crate::base::limits;
use crate::store::fixed::Marked;

/// What became of a batch: committed, or lost and why.
pub(super) type Verdict<'a> = Result<(), &'a str>;

/// A unit of work on its way through the writer.
pub(super) trait Unit: Send {
    /// Runs it inside the batch that is open; whether what it wrote stays. It may be run anew, after what it wrote was
    /// undone: the last time counts.
    fn run(&mut self, connection: &mut Conn) -> bool;

    /// Tells its caller, once the verdict on its batch is there.
    fn tell(self: Box<Self>, verdict: Verdict<'_>);
}

pub(super) type Job = Box<dyn Unit>;

/// Knows when the writer has ended.
#[derive(Debug)]
pub(in crate::store) struct WriterEnd(oneshot::Receiver<()>);

impl WriterEnd {
    /// Waits for the writer to close its connection, which it does when nobody can send it jobs any more.
    pub(in crate::store) async fn wait(self) {
        let _ = self.0.await; // an error: the thread has dropped its end
    }
}

/// Starts the writer on `connection`.
pub(super) fn start(
    file: Arc<DatabaseFile>,
    readers: Arc<Readers>,
    connection: Conn,
    jobs: mpsc::Receiver<Job>,
) -> std::io::Result<WriterEnd> {
    let (ended, end) = oneshot::channel();
    let run = move || {
        Writer { readers, file, connection: Some(connection), jobs }.run();
        let _ = ended.send(());
    };
    std::thread::Builder::new().name("sqlite-writer".into()).spawn(run)?;
    Ok(WriterEnd(end))
}

struct Writer {
    /// The first field, so that they are closed before the writer's own connection.
    readers: Arc<Readers>,
    file: Arc<DatabaseFile>,
    /// Absent after a batch was lost, until the file can be opened again.
    connection: Option<Conn>,
    jobs: mpsc::Receiver<Job>,
}

impl Writer {
    fn run(mut self) {
        while let Some(first) = self.jobs.blocking_recv() {
            let mut batch = vec![first];
            let verdict = self.write(&mut batch);
            if verdict.is_err() {
                self.connection = None; // closing it rolls back whatever is left of the batch
            }
            for job in batch {
                job.tell(verdict.as_ref().map(|&()| ()).map_err(String::as_str));
            }
        }
    }

    /// Runs the one job in `batch` and those that wait behind it, which join it there, and commits them.
    fn write(&mut self, batch: &mut Vec<Job>) -> Result<(), String> {
        let Self { readers, file, connection, jobs } = self;
        let _writing = readers.make_way();
        let mut waiting = std::iter::from_fn(|| jobs.try_recv().ok()).take(limits::WRITES_PER_COMMIT_MAX - 1);
        let text = |error: diesel::result::Error| error.to_string();
        match open(file, connection).and_then(|opened| begin(opened).map(|()| opened).map_err(text)) {
            Ok(connection) => run_all(connection, batch, &mut waiting).map_err(text),
            Err(reason) => {
                // Whoever waits behind would only wait for the same: they hear it now.
                batch.extend(waiting);
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

fn begin(connection: &mut Conn) -> QueryResult<()> {
    Manager::begin_transaction_sql(connection, "BEGIN IMMEDIATE")
}

/// Runs what is in `batch` and what joins it, in the transaction that is open, and ends that.
fn run_all(connection: &mut Conn, batch: &mut Vec<Job>, waiting: &mut impl Iterator<Item = Job>) -> QueryResult<()> {
    while succeeds(batch.last_mut().expect("a batch begins with a job"), connection) {
        match waiting.next() {
            Some(job) => batch.push(job),
            None => return Manager::commit_transaction(connection),
        }
    }
    Manager::rollback_transaction(connection)?;
    batch.extend(waiting);
    if batch.len() == 1 {
        return Ok(()); // it was alone, and is undone
    }
    begin(connection)?;
    batch.iter_mut().try_for_each(|job| in_savepoint(connection, job))?;
    Manager::commit_transaction(connection)
}

/// Whether a unit ran to its end and what it wrote stays.
fn succeeds(job: &mut Job, connection: &mut Conn) -> bool {
    catch_unwind(AssertUnwindSafe(|| job.run(connection))).unwrap_or(false)
}

/// Runs a unit in a savepoint of its own: what it wrote stays if it says so, and does not if it panics; its caller then
/// sees the channel of the answer close. An error: the batch is lost, because a full or failing disk makes SQLite roll
/// everything back, and with it the savepoint that is to be ended.
fn in_savepoint(connection: &mut Conn, job: &mut Job) -> QueryResult<()> {
    run(Marked(Begin, sql_query("SAVEPOINT unit")), connection)?;
    if !succeeds(job, connection) {
        run(Marked(Undo, sql_query("ROLLBACK TO unit")), connection)?;
    }
    run(Marked(End, sql_query("RELEASE unit")), connection)
}

/// What begins, undoes and ends a savepoint, each kept prepared: SQLite would read them anew for every unit.
struct Begin;
struct Undo;
struct End;
