//! Recognises a database file: whether the path still names the file that was opened, and whether the log (WAL) beside it is its own.
//!
//! SQLite finds the log by its name alone. If another file takes the place of the database, SQLite applies the log to it and damages it
//! (sqlite.org/howtocorrupt.html, section 1.4). So the header of each database has a random number, its id, in the field
//! `user_version`; each backup and each restored backup gets another one. The file with the suffix `-id` has the id of the database
//! that was opened last. For example, after a kill:
//!
//! | `cards.db` | `cards.db-wal` | `cards.db-id` | |
//! |---|---|---|---|
//! | id 7 | with writes | 7 | opened, and the log is applied |
//! | id 9, a backup | with writes | 7 | refused: the log is of 7 |
//! | id 9, a backup | empty or missing | 7 | opened: 9 is written into `cards.db-id` |
//!
//! A copy that another program made has the id of its source. A log of the source beside it is not recognised.

use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use url::Url;

use super::connection::DatabaseFile;
use super::{Conn, OpenError};
use crate::base::private;
use crate::store::error::{Cause, Outage};

/// The file as it was opened.
#[derive(Debug)]
pub(super) struct Identity {
    id: i32,
    device: u64,
    inode: u64,
    /// Size and times of the file when its id was last read: each checkpoint changes them.
    version: Mutex<Version>,
    /// Whether another file was found. A file that comes back does not undo it: what was read meanwhile may be of the other one.
    replaced: AtomicBool,
}

type Version = (u64, i64, i64, i64, i64);

fn version(found: &Metadata) -> Version {
    (found.size(), found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec())
}

impl Identity {
    /// Records the file that the path names.
    pub(super) fn read(file: &DatabaseFile) -> Result<Self, Cause> {
        let found = fs::metadata(file.path())?;
        let (version, replaced) = (Mutex::new(version(&found)), AtomicBool::new(false));
        Ok(Self { id: read_id(file)?, device: found.dev(), inode: found.ino(), version, replaced })
    }

    /// Returns an error if the path does not name the recorded file, or the file has the contents of another one.
    pub(super) fn check(&self, file: &DatabaseFile) -> Result<(), Outage> {
        if !self.is_replaced() && !self.is_same(file) {
            self.replaced.store(true, Ordering::Relaxed);
        }
        if self.is_replaced() { Err(Outage::Replaced(file.path().to_owned())) } else { Ok(()) }
    }

    /// Returns whether another file was found before.
    pub(super) fn is_replaced(&self) -> bool {
        self.replaced.load(Ordering::Relaxed)
    }

    fn is_same(&self, file: &DatabaseFile) -> bool {
        let mut known = self.version.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(found) = fs::metadata(file.path()) else { return false };
        let is_moved = (found.dev(), found.ino()) != (self.device, self.inode);
        if is_moved || version(&found) == *known {
            return !is_moved;
        }
        *known = version(&found);
        self.id == 0 || read_id(file).is_ok_and(|id| id == self.id)
    }
}

/// Returns an error if the log beside the file is of another database.
pub(super) fn check_log(file: &DatabaseFile) -> Result<(), OpenError> {
    let log = fs::metadata(private::with_suffix(file.path(), "-wal"));
    let owner = fs::read_to_string(private::with_suffix(file.path(), ID_SUFFIX)).ok();
    let Some(owner) = owner.and_then(|text| text.trim().parse::<i32>().ok()) else { return Ok(()) };
    if log.is_ok_and(|log| log.len() > 0) && read_id(file).is_ok_and(|id| id != owner) {
        return Err(OpenError::ForeignLog(file.path().to_owned()));
    }
    Ok(())
}

/// Records that the log is of this file from now on. A file without an id gets one, on the connection that writes.
pub(super) fn claim_log(file: &DatabaseFile, connection: &mut Conn) -> Result<(), Cause> {
    if user_version(connection)? == 0 {
        // In a transaction, so that two processes do not each give one.
        let give = |connection: &mut Conn| match user_version(connection)? {
            0 => renew(connection),
            _ => Ok(()),
        };
        connection.immediate_transaction(give)?;
        connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?;
    }
    let (path, id) = (private::with_suffix(file.path(), ID_SUFFIX), format!("{}\n", read_id(file)?));
    if fs::read_to_string(&path).is_ok_and(|owner| owner == id) {
        return Ok(());
    }
    let written = private::options().create(true).truncate(true).open(&path).and_then(|mut owner| {
        owner.write_all(id.as_bytes())?;
        owner.sync_all()?;
        File::open(path.parent().unwrap_or(Path::new("/")))?.sync_all()
    });
    written
        .map_err(|error| io::Error::new(error.kind(), format!("{} cannot be written: {error}", path.display())).into())
}

/// The suffix of the file with the id of the database.
pub(super) const ID_SUFFIX: &str = "-id";

/// Gives the database a new id.
pub(super) fn renew(connection: &mut Conn) -> QueryResult<()> {
    let id = (RandomState::new().hash_one(ID_SUFFIX) as u32 >> 1).max(1);
    connection.batch_execute(&format!("PRAGMA user_version = {id}"))
}

/// Gives the copy of a database a new id.
pub(super) fn renew_copy(path: &Path) -> Result<(), Cause> {
    let file = DatabaseFile::new(path)?;
    Ok(renew(&mut file.connect("")?)?)
}

/// Returns the address of the file for a connection that does not write, with a parameter of SQLite (sqlite.org/uri.html).
pub(super) fn read_only(file: &DatabaseFile, parameter: &str) -> Result<String, Cause> {
    let mut url = Url::from_file_path(file.path()).map_err(|()| "its path is not absolute")?;
    url.set_query(Some(parameter));
    Ok(url.into())
}

/// Reads the id in the header of the file itself: another connection would read it from the log. Opened by SQLite, because closing any
/// other handle of the file would release all locks of the process on it (fcntl(2)).
fn read_id(file: &DatabaseFile) -> Result<i32, Cause> {
    let mut connection = Conn::establish(&read_only(file, "immutable=1")?)?;
    // A checkpoint writes the header first: until it ends, the file may be shorter than its header says.
    connection.batch_execute("PRAGMA writable_schema = ON")?;
    Ok(user_version(&mut connection)?)
}

fn user_version(connection: &mut Conn) -> QueryResult<i32> {
    #[derive(diesel::QueryableByName)]
    struct Id {
        #[diesel(sql_type = Integer)]
        user_version: i32,
    }
    let found: Id = diesel::RunQueryDsl::get_result(diesel::sql_query("PRAGMA user_version"), connection)?;
    Ok(found.user_version)
}
