//! The one thread that writes: it takes what waits, runs each unit in its own savepoint, and commits the batch once, so
//! that all of them share one flush of the disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use diesel::connection::{AnsiTransactionManager as Manager, TransactionManager};
use diesel::prelude::*;
use diesel::sql_query;
use tokio::sync::{mpsc, oneshot};

use super::Conn;
use super::connection::DatabaseFile;
use super::run_query_dsl::run;
use crate::base::limits;
use crate::store::fixed::Marked;

/// What became of a batch: committed, or lost and why.
pub(super) type Verdict<'a> = Result<(), &'a str>;
/// Tells the caller of a unit, once the verdict on its batch is there.
pub(super) type Tell = Box<dyn FnOnce(Verdict<'_>) + Send>;
/// Runs a unit inside the batch that is open; where there is none, tells its caller why at once.
pub(super) type Job = Box<dyn FnOnce(Result<&mut Conn, &str>) -> Option<Ran> + Send>;

/// A unit that ran.
pub(super) struct Ran {
    /// Whether what it wrote stays.
    pub kept: bool,
    pub tell: Tell,
}

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
    connection: Conn,
    jobs: mpsc::Receiver<Job>,
) -> std::io::Result<WriterEnd> {
    let (ended, end) = oneshot::channel();
    let run = move || {
        Writer { file, connection: Some(connection), jobs }.run();
        let _ = ended.send(());
    };
    std::thread::Builder::new().name("sqlite-writer".into()).spawn(run)?;
    Ok(WriterEnd(end))
}

struct Writer {
    file: Arc<DatabaseFile>,
    /// Absent after a batch was lost, until the file can be opened again.
    connection: Option<Conn>,
    jobs: mpsc::Receiver<Job>,
}

impl Writer {
    fn run(mut self) {
        while let Some(first) = self.jobs.blocking_recv() {
            let mut ran = Vec::new();
            let verdict = self.batch(first, &mut ran);
            if verdict.is_err() {
                self.connection = None; // closing it rolls back whatever is left of the batch
            }
            for tell in ran {
                tell(verdict.as_ref().map(|&()| ()).map_err(String::as_str));
            }
        }
    }

    /// Runs a batch that begins with `first` and commits it. The units that ran are in `ran`.
    fn batch(&mut self, first: Job, ran: &mut Vec<Tell>) -> Result<(), String> {
        if let Err(reason) = self.begin() {
            // Whoever waits behind would only wait for the same: they hear it now. All of them are taken before the first
            // is told, because what that one's caller sends next deserves a try of its own.
            let waiting = std::iter::from_fn(|| self.jobs.try_recv().ok()).take(limits::WRITES_PER_COMMIT_MAX);
            let lost: Vec<Job> = std::iter::once(first).chain(waiting).collect();
            lost.into_iter().for_each(|job| drop(job(Err(&reason))));
            return Err(reason);
        }
        let connection = self.connection.as_mut().expect("a batch was begun on it");
        let mut next = Some(first);
        while let Some(job) = next {
            in_savepoint(connection, job, ran).map_err(|error| error.to_string())?;
            next = if ran.len() < limits::WRITES_PER_COMMIT_MAX { self.jobs.try_recv().ok() } else { None };
        }
        Manager::commit_transaction(connection).map_err(|error| error.to_string())
    }

    fn begin(&mut self) -> Result<(), String> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            closed => closed.insert(self.file.writer().map_err(|error| error.to_string())?),
        };
        Manager::begin_transaction_sql(connection, "BEGIN IMMEDIATE").map_err(|error| error.to_string())
    }
}

/// Runs a unit in a savepoint of its own: what it wrote stays if it says so, and does not if it panics; its caller then
/// sees the channel of the answer close. An error: the batch is lost, because a full or failing disk makes SQLite roll
/// everything back, and with it the savepoint that is to be ended.
fn in_savepoint(connection: &mut Conn, job: Job, ran: &mut Vec<Tell>) -> QueryResult<()> {
    run(Marked(Begin, sql_query("SAVEPOINT unit")), connection)?;
    let kept = match catch_unwind(AssertUnwindSafe(|| job(Ok(connection)))) {
        Ok(Some(Ran { kept, tell })) => {
            ran.push(tell);
            kept
        }
        Ok(None) | Err(_) => false,
    };
    if !kept {
        run(Marked(Undo, sql_query("ROLLBACK TO unit")), connection)?;
    }
    run(Marked(End, sql_query("RELEASE unit")), connection)
}

/// What begins, undoes and ends a savepoint, each kept prepared: SQLite would read them anew for every unit.
struct Begin;
struct Undo;
struct End;
