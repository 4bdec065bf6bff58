//! Copies the database into a new file while writes continue, checks such a copy, and restores it.
//!
//! Called by the methods of `Store` for backups. A copy is made under a temporary name, checked against the source, flushed,
//! and renamed at the end: a file under the final name is complete. A copy that was killed leaves the temporary file, which
//! the next one of that name replaces.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use serde::{Deserialize, Serialize};

use super::connection::DatabaseFile;
use super::{Conn, identity};
use crate::base::{Progress, Step, private};
use crate::store::StoreError;
use crate::store::error::Cause;

/// Interval between two looks at whether the copy has begun.
const POLL: Duration = Duration::from_millis(1);

/// A verified copy under its temporary name. Dropping it removes the file.
#[derive(Debug)]
pub struct BackupDraft {
    part: PartFile,
    pub contents: BackupContents,
}

impl BackupDraft {
    /// Returns the temporary name.
    pub fn path(&self) -> &Path {
        &self.part.path
    }

    /// Flushes the copy and gives it its final name. Returns its size.
    pub fn publish(self, target: &Path) -> Result<u64, BackupError> {
        self.part.finish(target)
    }
}

/// Schema version and row counts of a database at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupContents {
    /// Version of the newest migration.
    pub schema_version: String,
    /// Number of rows of each table, by its name.
    pub rows: BTreeMap<String, i64>,
}

/// Why there is no backup. Wrapped in [`StoreError::Failed`].
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    #[error("{} remains of another database: move its files away first (they end in .db, -wal, -shm and -journal)", .0.display())]
    Left(PathBuf),
    #[error("another backup is writing {} at this moment", .0.display())]
    Running(PathBuf),
    #[error("the path of the backup is not UTF-8")]
    Path,
    #[error("{} cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the copy {} could not be completed, and was removed", path.display())]
    Copy { path: PathBuf, source: Cause },
    #[error("{} cannot be read", path.display())]
    Source { path: PathBuf, source: io::Error },
    #[error("the database could not be read")]
    Read(#[source] Cause),
    #[error("the database in the backup cannot be read")]
    ReadBack(#[source] Cause),
    #[error("the database in the backup is damaged: {0}")]
    Damaged(String),
    #[error("the backup does not hold what it should: {0}")]
    Differs(String),
    #[error("a dump of PostgreSQL is restored with pg_restore")]
    Postgres,
}

impl From<BackupError> for StoreError {
    fn from(error: BackupError) -> Self {
        StoreError::Failed(Box::new(error))
    }
}

/// Returns the temporary name under which the backup of this name is written.
pub fn backup_part(target: &Path) -> PathBuf {
    private::with_suffix(target, ".part")
}

pub(super) fn back_up(source: &DatabaseFile, target: &Path, progress: &Progress) -> Result<BackupDraft, BackupError> {
    let part = PartFile::create(target)?;
    progress.begin_file(Step::CopyDatabase, &part.path, std::fs::metadata(source.path()).map_or(0, |file| file.len()));
    let contents = copy(source, &part)?;
    renew_id(&part)?;
    progress.begin(Step::CheckDatabase, None);
    verify_backup(&part.path, &contents)?;
    Ok(BackupDraft { part, contents })
}

/// Copies a backup to the path of a database that does not exist, and checks the copy. Returns its size.
pub(in crate::store) fn restore(
    backup: &Path,
    target: &Path,
    expected: &BackupContents,
    progress: &Progress,
) -> Result<u64, BackupError> {
    if let Some(found) =
        ["", "-wal", "-shm", "-journal"].map(|end| private::with_suffix(target, end)).into_iter().find(|p| p.exists())
    {
        return Err(if found == target { BackupError::Exists(found) } else { BackupError::Left(found) });
    }
    let unwritable = |source| BackupError::Write { path: target.to_owned(), source };
    if let Some(folder) = target.parent() {
        private::create_folder(folder).map_err(unwritable)?;
    }
    let mut part = PartFile::create(target)?;
    let mut source = File::open(backup).map_err(|source| BackupError::Source { path: backup.to_owned(), source })?;
    progress.begin_file(Step::RestoreDatabase, &part.path, source.metadata().map_or(0, |file| file.len()));
    io::copy(&mut source, &mut part.file).map_err(unwritable)?;
    renew_id(&part)?;
    progress.begin(Step::CheckDatabase, None);
    verify_backup(&part.path, expected)?;
    part.finish(target)
}

/// Gives the copy an id of its own, so that the log of its source is not applied to it.
fn renew_id(part: &PartFile) -> Result<(), BackupError> {
    identity::renew_copy(&part.path).map_err(|source| BackupError::Copy { path: part.path.clone(), source })
}

/// Copies the database into the empty part file. Returns what the copied database holds.
///
/// VACUUM reads one snapshot from its beginning to its end. No other connection can be given that snapshot, so a second
/// one takes its own while nothing can be written: from before the copy begins until its first page is in the file.
fn copy(source: &DatabaseFile, part: &PartFile) -> Result<BackupContents, BackupError> {
    let mut lock = source.writer().map_err(BackupError::Read)?;
    let mut copying = source.writer().map_err(BackupError::Read)?;
    let mut counting = source.reader().map_err(BackupError::Read)?;
    let text = part.path.to_str().ok_or(BackupError::Path)?;
    lock.batch_execute("BEGIN IMMEDIATE").map_err(read_error)?;
    counting.batch_execute("BEGIN; SELECT 1 FROM sqlite_schema").map_err(read_error)?;
    std::thread::scope(|scope| {
        let copy = scope.spawn(move || {
            let statement = diesel::sql_query("VACUUM INTO ?").bind::<Text, _>(text);
            diesel::RunQueryDsl::execute(statement, &mut copying).map(|_| ())
        });
        while !copy.is_finished() && part.is_empty() {
            std::thread::sleep(POLL);
        }
        drop(lock); // closing the connection ends its transaction
        let contents = BackupContents::read(&mut counting).map_err(read_error);
        let copied = copy.join().map_err(|_| BackupError::Read("the copying thread panicked".into()))?;
        copied.map_err(|error| BackupError::Copy { path: part.path.clone(), source: error.into() })?;
        contents
    })
}

/// Checks that a backup is intact and has the expected contents. Blocks.
pub fn verify_backup(copy: &Path, expected: &BackupContents) -> Result<(), BackupError> {
    let unreadable = |error: diesel::result::Error| BackupError::ReadBack(error.into());
    let file = DatabaseFile::new(copy).map_err(|error| BackupError::ReadBack(error.into()))?;
    let mut connection = file.reader().map_err(BackupError::ReadBack)?;
    let check = diesel::sql_query("PRAGMA integrity_check");
    let lines: Vec<Integrity> = diesel::RunQueryDsl::load(check, &mut connection).map_err(unreadable)?;
    if lines.len() != 1 || lines[0].integrity_check != "ok" {
        let lines: Vec<_> = lines.into_iter().map(|line| line.integrity_check).collect();
        return Err(BackupError::Damaged(lines.join("; ")));
    }
    let found = BackupContents::read(&mut connection).map_err(unreadable)?;
    match expected.difference(&found) {
        Some(difference) => Err(BackupError::Differs(difference)),
        None => Ok(()),
    }
}

fn read_error(error: diesel::result::Error) -> BackupError {
    BackupError::Read(error.into())
}

impl BackupContents {
    fn read(connection: &mut Conn) -> QueryResult<Self> {
        let version = "SELECT coalesce(max(version), 'none') AS name FROM __diesel_schema_migrations";
        let version: Name = diesel::RunQueryDsl::get_result(diesel::sql_query(version), connection)?;
        let tables = r"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'";
        let tables: Vec<Name> = diesel::RunQueryDsl::load(diesel::sql_query(tables), connection)?;
        let mut rows = BTreeMap::new();
        for Name { name } in tables {
            let count = format!("SELECT count(*) AS count FROM \"{}\"", name.replace('"', "\"\""));
            let count: Count = diesel::RunQueryDsl::get_result(diesel::sql_query(count), connection)?;
            rows.insert(name, count.count);
        }
        Ok(Self { schema_version: version.name, rows })
    }

    /// Describes the first difference between this and what was found.
    fn difference(&self, found: &Self) -> Option<String> {
        if self.schema_version != found.schema_version {
            return Some(format!("schema version {}, not {}", found.schema_version, self.schema_version));
        }
        let tables = self.rows.keys().chain(found.rows.keys());
        let count = |contents: &Self, table| contents.rows.get(table).map_or("no table".to_owned(), i64::to_string);
        tables
            .map(|table| (table, count(self, table), count(found, table)))
            .find(|(_, expected, found)| expected != found)
            .map(|(table, expected, found)| format!("{table}: {found}, not {expected}"))
    }
}

#[derive(diesel::QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(diesel::QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(diesel::QueryableByName)]
struct Integrity {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

/// The temporary file of a copy; removed when it is dropped unfinished.
#[derive(Debug)]
pub(super) struct PartFile {
    path: PathBuf,
    /// Holds the lock that tells a running backup from one that was killed.
    file: File,
    finished: bool,
}

impl PartFile {
    /// Creates the file, or replaces the one of a killed backup.
    pub(super) fn create(target: &Path) -> Result<Self, BackupError> {
        let path = backup_part(target);
        let unwritable = |source| BackupError::Write { path: path.clone(), source };
        let file = match private::create_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let left = File::open(&path).map_err(unwritable)?;
                match left.try_lock() {
                    Err(TryLockError::WouldBlock) => return Err(BackupError::Running(target.to_owned())),
                    Err(TryLockError::Error(error)) => return Err(unwritable(error)),
                    Ok(()) => {}
                }
                remove(&path).map_err(unwritable)?;
                private::create_file(&path).map_err(unwritable)?
            }
            created => created.map_err(unwritable)?,
        };
        let part = Self { file, finished: false, path };
        match part.file.try_lock() {
            // Looked at while the name is locked: another copy of that name may have been published meanwhile.
            Ok(()) if target.exists() => Err(BackupError::Exists(target.to_owned())),
            Ok(()) => Ok(part),
            Err(error) => {
                let source = error.into();
                Err(BackupError::Write { path: part.path.clone(), source })
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn is_empty(&self) -> bool {
        self.file.metadata().is_ok_and(|file| file.len() == 0)
    }

    /// Flushes the file, gives it its final name, and flushes that. Returns its size.
    pub(super) fn finish(mut self, target: &Path) -> Result<u64, BackupError> {
        if target.exists() {
            return Err(BackupError::Exists(target.to_owned()));
        }
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let renamed = self.file.sync_all().and_then(|()| fs::rename(&self.path, target));
        self.finished = renamed.is_ok();
        let synced = renamed.and_then(|()| File::open(folder)?.sync_all());
        let bytes = synced.and_then(|()| Ok(self.file.metadata()?.len()));
        bytes.map_err(|source| BackupError::Write { path: target.to_owned(), source })
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.finished {
            let _ = remove(&self.path); // the error that caused it is reported
        }
    }
}

/// Removes a part file and its journal.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(private::with_suffix(path, "-journal")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "CREATE TABLE __diesel_schema_migrations (version TEXT); CREATE TABLE cards (id TEXT);
        INSERT INTO __diesel_schema_migrations VALUES ('1'), ('2');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO cards SELECT hex(randomblob(16)) FROM n;";

    fn database(folder: &Path, more: &str) -> PathBuf {
        let path = folder.join("cards.db");
        rusqlite::Connection::open(&path).expect("a file").execute_batch(&format!("{TABLES}{more}")).expect("SQL");
        path
    }

    fn contents(rows: [(&str, i64); 2]) -> BackupContents {
        let rows = rows.map(|(table, count)| (table.to_owned(), count)).into();
        BackupContents { schema_version: "2".to_owned(), rows }
    }

    #[test]
    fn copy_is_verified_by_version_and_count_of_every_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let copy = database(folder.path(), "");
        let right = contents([("__diesel_schema_migrations", 2), ("cards", 5000)]);
        verify_backup(&copy, &right).expect("it holds that");
        let wrong = contents([("__diesel_schema_migrations", 2), ("cards", 5001)]);
        assert!(
            matches!(verify_backup(&copy, &wrong), Err(BackupError::Differs(text)) if text == "cards: 5000, not 5001")
        );
        let wrong = BackupContents { schema_version: "3".to_owned(), ..right.clone() };
        assert!(
            matches!(verify_backup(&copy, &wrong), Err(BackupError::Differs(text)) if text.contains("version 2, not 3"))
        );
        let wrong = contents([("__diesel_schema_migrations", 2), ("orders", 1)]);
        assert!(matches!(verify_backup(&copy, &wrong), Err(BackupError::Differs(_))));
    }

    #[test]
    fn copy_with_a_damaged_page_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let copy = database(folder.path(), "CREATE INDEX by_id ON cards (id);");
        let mut bytes = fs::read(&copy).expect("a file");
        let middle = bytes.len() / 2 / 4096 * 4096;
        bytes[middle..middle + 4096].fill(0xa5);
        fs::write(&copy, bytes).expect("a file");
        let expected = contents([("__diesel_schema_migrations", 2), ("cards", 5000)]);
        let refused = verify_backup(&copy, &expected);
        assert!(matches!(refused, Err(BackupError::Damaged(_) | BackupError::ReadBack(_))), "{refused:?}");
    }

    #[test]
    fn part_of_a_running_backup_is_left_alone_and_that_of_a_killed_one_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (source, target) = (database(folder.path(), ""), folder.path().join("backup.db"));
        let source = DatabaseFile::new(&source).expect("a path");
        let running = PartFile::create(&target).expect("a part file");
        assert!(matches!(back_up(&source, &target, &Progress::default()), Err(BackupError::Running(_))));
        drop(running);
        fs::write(backup_part(&target), "half of a page").expect("a file");
        fs::write(folder.path().join("backup.db.part-journal"), "and its journal").expect("a file");
        let made = back_up(&source, &target, &Progress::default()).expect("a backup");
        assert_eq!(made.contents, contents([("__diesel_schema_migrations", 2), ("cards", 5000)]));
        let bytes = made.publish(&target).expect("the name is free");
        assert_eq!(bytes, fs::metadata(&target).expect("a file").len());
        let left: Vec<_> =
            fs::read_dir(folder.path()).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().contains(".part")), "{left:?}");
    }
}
