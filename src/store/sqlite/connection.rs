//! Connections to one SQLite file, and their settings.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::identity::{self, Identity};
use super::{Conn, OpenError};
use crate::base::{limits, private};
use crate::store::error::{Cause, Outage};

/// Interval between attempts to open a locked file.
const PAUSE: Duration = Duration::from_millis(10);

/// The file, by its absolute path, so that SQLite does not read it as a URI or as `:memory:`.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    text: String,
    /// Set while the file is watched.
    identity: OnceLock<Identity>,
    server_lock: OnceLock<File>,
}

impl DatabaseFile {
    pub(super) fn new(path: &Path) -> Result<Self, OpenError> {
        let unusable = |source: Cause| OpenError::File { path: path.to_owned(), source };
        let path = std::path::absolute(path).map_err(|error| unusable(error.into()))?;
        let text = path.to_str().ok_or_else(|| unusable("its path is not UTF-8".into()))?.to_owned();
        Ok(Self { path, text, identity: OnceLock::new(), server_lock: OnceLock::new() })
    }

    /// Refuses connections and writes from now on if another file takes the place of this one.
    pub(super) fn watch(&self) -> Result<(), Cause> {
        let identity = Identity::read(self)?;
        self.identity.get_or_init(|| identity);
        Ok(())
    }

    /// Returns an error if the file is watched, and another one has taken its place.
    pub(super) fn check(&self) -> Result<(), Outage> {
        self.identity.get().map_or(Ok(()), |identity| identity.check(self))
    }

    /// Returns an error if [`DatabaseFile::check`] has found another file before.
    pub(super) fn check_known(&self) -> Result<(), Outage> {
        match self.identity.get().is_some_and(Identity::is_replaced) {
            true => Err(Outage::Replaced(self.path.clone())),
            false => Ok(()),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the error for a file that cannot be opened. SQLite does not tell that a file system is read-only.
    pub(super) fn refuse(&self, source: Cause) -> OpenError {
        let source = match private::options().open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => error.into(),
            _ => source,
        };
        OpenError::File { path: self.path.clone(), source }
    }

    /// Locks the file for the server of this process until it ends. Returns whether no other server has locked it.
    pub(super) fn lock_for_server(&self) -> io::Result<bool> {
        let lock = File::open(private::with_suffix(&self.path, identity::ID_SUFFIX))?;
        match lock.try_lock() {
            Ok(()) => {
                self.server_lock.get_or_init(|| lock);
                Ok(true)
            }
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
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

    /// Opens a connection that changes neither the file nor its log, also when it is closed.
    pub(super) fn observer(&self) -> Result<Conn, Cause> {
        let mut connection = Conn::establish(&identity::read_only(self, "mode=ro")?)?;
        connection.batch_execute(&format!("PRAGMA busy_timeout = {}", limits::DATABASE_WAIT.as_millis()))?;
        Ok(connection)
    }

    /// Opens a connection that runs these statements first.
    pub(super) fn connect(&self, role: &str) -> Result<Conn, Cause> {
        self.check()?;
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

/// Returns the first damage that SQLite finds in the file with its log; `None` if there is none.
pub(super) fn find_damage(file: &DatabaseFile) -> Result<Option<String>, Cause> {
    #[derive(diesel::QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text)]
        quick_check: String,
    }
    let mut connection = file.observer()?;
    let check = diesel::sql_query("PRAGMA quick_check(1)");
    match diesel::RunQueryDsl::load::<Line>(check, &mut connection) {
        Ok(lines) => Ok(lines.into_iter().map(|line| line.quick_check).find(|line| line != "ok")),
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether an error is SQLITE_CORRUPT, by its text (sqlite3_errstr); diesel does not pass on the code.
pub(super) fn is_damage(error: &diesel::result::Error) -> bool {
    error.to_string() == "database disk image is malformed"
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
