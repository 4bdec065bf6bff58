//! Keeps SQLite's shared lock while many reads follow each other, so that each read saves the system calls that take
//! and release it (docs/performance.md). Every read is correct without it.
//!
//! A read holds a shared lock so that the log (WAL) is not restarted during the read. Within one process SQLite counts
//! the holders, and asks the kernel only for the first and the last of them. So one more connection, the holder, stays
//! in a read transaction. It does not change what other reads see: each begins at the last commit.
//!
//! The writer releases the lock before each write, because the checkpoint restarts the log. If reads and writes stop,
//! the holder stays until the next write; other processes can still write, but the log grows.

use diesel::connection::SimpleConnection;

use super::Conn;
use super::connection::DatabaseFile;
use crate::base::limits;

/// The lock, and when to take and release it.
#[derive(Default)]
pub(super) struct SharedLock {
    /// In a read transaction while `held`.
    holder: Option<Conn>,
    held: bool,
    /// Reads since the last write or release.
    reads: u32,
    writing: bool,
}

impl SharedLock {
    /// Counts a read that begins. Takes the lock after a few reads, and releases it after many, for other processes
    /// that write.
    pub(super) fn count_read(&mut self, file: &DatabaseFile) {
        if self.writing {
            return;
        }
        self.reads += 1;
        if self.reads == limits::READS_BEFORE_SHARED_LOCK {
            self.take(file);
        } else if self.reads == limits::READS_PER_SHARED_LOCK {
            self.release();
        }
    }

    /// Releases the lock, and does not take it again before [`SharedLock::end_write`].
    pub(super) fn begin_write(&mut self) {
        self.release();
        self.writing = true;
    }

    pub(super) fn end_write(&mut self) {
        self.writing = false;
    }

    /// Begins the holder's transaction. An error is ignored: reads are only slower without the lock.
    fn take(&mut self, file: &DatabaseFile) {
        let holder = self.holder.take().or_else(|| file.reader().ok());
        self.holder = holder.and_then(|holder| execute(holder, "BEGIN; SELECT 1 FROM sqlite_schema"));
        self.held = self.holder.is_some();
    }

    fn release(&mut self) {
        self.reads = 0;
        if std::mem::take(&mut self.held) {
            self.holder = self.holder.take().and_then(|holder| execute(holder, "COMMIT"));
        }
    }
}

/// Returns the connection after it ran these statements. A connection that fails is closed, which ends its transaction.
fn execute(mut connection: Conn, statements: &str) -> Option<Conn> {
    connection.batch_execute(statements).ok().map(|()| connection)
}
