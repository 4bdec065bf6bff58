//! Connections to one SQLite file, and their settings.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use super::{Conn, OpenError};
use crate::base::limits;
use crate::store::error::Cause;

/// Interval between attempts to open a locked file.
const PAUSE: Duration = Duration::from_millis(10);

/// The file, by its absolute path, so that SQLite does not read it as a URI or as `:memory:`.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    text: String,
}

impl DatabaseFile {
    pub(super) fn new(path: &Path) -> Result<Self, OpenError> {
        let unusable = |source: Cause| OpenError::File { path: path.to_owned(), source };
        let path = std::path::absolute(path).map_err(|error| unusable(error.into()))?;
        let text = path.to_str().ok_or_else(|| unusable("its path is not UTF-8".into()))?.to_owned();
        Ok(Self { path, text })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the error for a file that cannot be opened.
    pub(super) fn refuse(&self, source: Cause) -> OpenError {
        OpenError::File { path: self.path.clone(), source }
    }

    /// Opens the connection that writes. `synchronous = FULL`: a commit survives a power failure.
    pub(super) fn writer(&self) -> Result<Conn, Cause> {
        let role = format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA wal_autocheckpoint = {};",
            limits::LOG_PAGES
        );
        let began = Instant::now();
        loop {
            match self.connect(&role) {
                // While another connection creates the log of a new file, SQLite fails at once instead of waiting.
                Err(error) if is_busy(&error) && began.elapsed() < limits::DATABASE_WAIT => {
                    std::thread::sleep(PAUSE);
                }
                done => return done,
            }
        }
    }

    /// Opens a connection that only reads.
    pub(super) fn reader(&self) -> Result<Conn, Cause> {
        self.connect("PRAGMA query_only = ON;")
    }

    /// Opens a connection that runs these statements first.
    pub(super) fn connect(&self, role: &str) -> Result<Conn, Cause> {
        let mut connection = Conn::establish(&self.text)?;
        // 1 MiB of pages. No memory map: an I/O error in it would end the process.
        connection.batch_execute(&format!(
            "PRAGMA busy_timeout = {}; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1024; PRAGMA mmap_size = 0;",
            limits::DATABASE_WAIT.as_millis()
        ))?;
        connection.batch_execute(role)?;
        Ok(connection)
    }
}

/// Returns whether another connection locks the file. The text is the one of SQLITE_BUSY (sqlite3_errstr) in every language;
/// diesel does not pass on the code.
pub(super) fn is_busy(error: &Cause) -> bool {
    error.to_string() == "database is locked"
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    /// Many files, because the race is rare: SQLite refuses one of two connections that create a file's log at the same
    /// time.
    #[test]
    fn new_file_is_opened_by_all_who_come_at_once() {
        const COMERS: usize = 8;
        for _ in 0..100 {
            let folder = tempfile::tempdir().expect("a folder");
            let (path, together) = (folder.path().join("x.db"), Barrier::new(COMERS));
            std::thread::scope(|scope| {
                let come = || {
                    together.wait();
                    let file = DatabaseFile::new(&path).expect("a path");
                    let write = "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS t (x INTEGER); COMMIT";
                    file.writer().and_then(|mut connection| Ok(connection.batch_execute(write)?)).expect("it opens");
                };
                (0..COMERS).for_each(|_| drop(scope.spawn(come)));
            });
        }
    }
}
