//! Creates the database file, and refuses files that are not a database of this service.
//!
//! Called when the store is opened. A new database gets its schema under a temporary name, and is renamed when it is
//! complete. So a file without our tables is a truncated backup, or belongs to another program.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;

use super::connection::{DatabaseFile, find_damage, is_damage};
use super::identity;
use super::{OpenError, migrate};
use crate::base::{limits, private};
use crate::store::StoreError;

/// Checks that the file holds our tables, or creates a missing file if `create` is set. Returns whether it was created. A damaged file is
/// refused if `examine` is set.
pub(super) fn ensure(file: &DatabaseFile, create: bool, examine: bool) -> Result<bool, StoreError> {
    match require(file) {
        Err(OpenError::Missing(_)) if create => create_file(file),
        refused => {
            refused?;
            check_tables(file)?;
            if examine {
                check_damage(file)?;
            }
            Ok(false)
        }
    }
}

/// Returns an error if the file is missing or empty, or lies beside the log of another one.
pub(super) fn require(file: &DatabaseFile) -> Result<(), OpenError> {
    let path = file.path();
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() == 0 => Err(OpenError::NoTables(path.to_owned())),
        Ok(_) => identity::check_log(file),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(OpenError::Missing(path.to_owned()))
        }
        Err(error) => Err(file.refuse(error.into())),
    }
}

/// Looks for the table of migrations. Does not change the file.
fn check_tables(file: &DatabaseFile) -> Result<(), OpenError> {
    let mut connection = file.observer().map_err(|source| file.refuse(source))?;
    let query = "SELECT count(*) AS count FROM sqlite_schema WHERE name = '__diesel_schema_migrations'";
    let found: Count =
        diesel::RunQueryDsl::get_result(diesel::sql_query(query), &mut connection).map_err(|error| match is_damage(
            &error,
        ) {
            true => OpenError::Damaged { path: file.path().to_owned(), found: error.to_string() },
            false => file.refuse(error.into()),
        })?;
    if found.count == 0 { Err(OpenError::NoTables(file.path().to_owned())) } else { Ok(()) }
}

/// Looks for damage in a file that is small enough for that at a start.
fn check_damage(file: &DatabaseFile) -> Result<(), OpenError> {
    let (path, begun) = (file.path(), Instant::now());
    let bytes = fs::metadata(path).map_err(|error| file.refuse(error.into()))?.len();
    if bytes > limits::DATABASE_EXAMINED_BYTES_MAX {
        tracing::info!(bytes, "the database is too large to look for damage at the start; each backup does");
        return Ok(());
    }
    let found = find_damage(file).map_err(|source| file.refuse(source))?;
    tracing::debug!(bytes, duration_ms = begun.elapsed().as_millis() as f64, "looked for damage in the database");
    found.map_or(Ok(()), |found| Err(OpenError::Damaged { path: path.to_owned(), found }))
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Creates the database, unless another process or thread does it first. Returns whether it was created here.
fn create_file(file: &DatabaseFile) -> Result<bool, StoreError> {
    // One thread at a time: closing any handle of a file releases all locks of the process on it (fcntl(2)), also those
    // of a connection to the finished database.
    static CREATING: Mutex<()> = Mutex::new(());
    let _one = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    let (path, new) = (file.path(), private::with_suffix(file.path(), ".new"));
    let failed = |source: io::Error| OpenError::Create { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        private::create_folder(folder).map_err(|source| OpenError::Folder { path: path.to_owned(), source })?;
    }
    let handle = private::options().create(true).truncate(false).open(&new).map_err(failed)?;
    handle.lock().map_err(failed)?;
    if path.exists() {
        let _ = fs::remove_file(&new); // ours, and empty: the other process has renamed its own
        return Ok(false);
    }
    // The file may be left over from a killed process.
    handle.set_len(0).map_err(failed)?;
    private::close_to_others(&new).map_err(failed)?;
    remove_logs(&new).map_err(failed)?;
    let made = write_schema(&new);
    if made.is_err() {
        let _ = remove_logs(&new).and_then(|()| fs::remove_file(&new));
    }
    made?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let renamed = handle.sync_all().and_then(|()| fs::rename(&new, path)).and_then(|()| File::open(folder)?.sync_all());
    renamed.map_err(failed)?;
    Ok(true)
}

/// Writes the schema into an empty file, and checkpoints the log.
pub(super) fn write_schema(path: &Path) -> Result<(), StoreError> {
    let file = DatabaseFile::new(path)?;
    let mut connection = file.writer().map_err(|source| file.refuse(source))?;
    migrate(&mut connection, true)?;
    identity::renew(&mut connection)?;
    connection.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?;
    drop(connection); // the last connection removes the log
    remove_logs(path).map_err(|source| OpenError::Create { path: path.to_owned(), source }.into())
}

/// Removes the log and journal files of SQLite.
fn remove_logs(path: &Path) -> io::Result<()> {
    for suffix in ["-wal", "-shm", "-journal"] {
        match fs::remove_file(private::with_suffix(path, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
