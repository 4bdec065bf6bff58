//! The connections that read, and the lock they share.
//!
//! Called by the store's reads, and by the writer around each batch.
//!
//! Who reads holds a lock, so that the log is not begun anew beneath it. To take it from the kernel and to give it back
//! costs each read 2 microseconds; within one process SQLite counts instead, while anybody here holds it. So one more
//! connection, the *keeper*, stays in a read while reads follow each other. The others see no more and no less for it:
//! each read begins at what is committed by then. The keeper steps aside for the writer, which is who copies the log into
//! the file and begins it anew. Where nobody reads any more it stays until the next write, mostly that of what the reads
//! used (`operation/usage`): commands of the operator write meanwhile as ever, and only leave a longer log behind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use diesel::connection::SimpleConnection;

use super::Conn;
use super::connection::DatabaseFile;
use crate::base::limits;
use crate::store::error::Cause;

/// The readers of a file.
pub(super) struct Readers {
    file: Arc<DatabaseFile>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// There are as many in all as threads ever read at once.
    idle: Vec<Conn>,
    /// In a read while `keeps`.
    keeper: Option<Conn>,
    keeps: bool,
    /// How many reads began since the writer was done, or since the keeper last stepped aside.
    reads: u32,
    writing: bool,
}

impl Readers {
    pub(super) fn of(file: &Arc<DatabaseFile>) -> Self {
        Self { file: Arc::clone(file), state: Mutex::default() }
    }

    /// A connection to read with.
    pub(super) fn take(&self) -> Result<Conn, Cause> {
        let mut state = self.state();
        state.count(&self.file);
        let idle = state.idle.pop();
        drop(state);
        idle.map_or_else(|| self.file.reader(), Ok)
    }

    pub(super) fn give_back(&self, connection: Conn) {
        self.state().idle.push(connection);
    }

    /// Has the keeper step aside until the guard is dropped.
    pub(super) fn make_way(&self) -> Writing<'_> {
        let mut state = self.state();
        state.step_aside();
        state.writing = true;
        Writing(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writer is at work.
pub(super) struct Writing<'a>(&'a Readers);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.state().writing = false;
    }
}

impl State {
    /// Counts a read that begins: some in a row call for the keeper, and after many it begins anew, because another
    /// process may have written meanwhile.
    fn count(&mut self, file: &DatabaseFile) {
        if self.writing {
            return;
        }
        self.reads += 1;
        if self.reads == limits::READS_BEFORE_KEEPER {
            self.keep(file);
        } else if self.reads == limits::READS_PER_KEEPER {
            self.step_aside();
        }
    }

    /// Begins the keeper's read. Without it reads are slower, and nothing else: an error is no reason to refuse one.
    fn keep(&mut self, file: &DatabaseFile) {
        let keeper = self.keeper.take().or_else(|| file.reader().ok());
        self.keeper = keeper.and_then(|keeper| said(keeper, "BEGIN; SELECT 1 FROM sqlite_schema"));
        self.keeps = self.keeper.is_some();
    }

    fn step_aside(&mut self) {
        self.reads = 0;
        if std::mem::take(&mut self.keeps) {
            self.keeper = self.keeper.take().and_then(|keeper| said(keeper, "COMMIT"));
        }
    }
}

/// A connection that has run this; one that failed is closed, which ends whatever it was in.
fn said(mut connection: Conn, statements: &str) -> Option<Conn> {
    connection.batch_execute(statements).ok().map(|()| connection)
}
