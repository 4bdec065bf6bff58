//! The manifest of a backup: what its database file holds, and the size and SHA-256 of every file.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::BackupFault;
use crate::base::private::Owner;
use crate::base::{GlobalId, Kind, Progress, Step, Timestamp, lower_hex, private};
use crate::operation::card::CardStateError;
use crate::operation::{Failure, card};
use crate::services::Services;
use crate::store::BackupContents;

/// The bytes that are read into memory at once.
const PIECE_BYTES: usize = 256 * 1024;

/// The contents of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// When the copy of the database was complete.
    pub taken_at: String,
    pub database: StoredFile,
    /// The contents of the database; `None` for a dump of PostgreSQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<BackupContents>,
    /// The files of the object store, by their keys.
    pub media: Vec<StoredFile>,
}

/// A file of a backup.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StoredFile {
    /// The name of the database file, or the key in the object store.
    pub path: String,
    pub bytes: u64,
    pub sha256: String,
}

/// Returns the path of the manifest of a backup.
pub fn manifest_path(backup: &Path) -> PathBuf {
    private::with_suffix(backup, ".manifest.json")
}

impl StoredFile {
    /// Reads the size and digest of a file.
    pub(super) fn read(file: &Path, path: String, progress: &Progress) -> Result<Self, BackupFault> {
        digest(file, progress)
            .map(|(bytes, sha256)| Self { path, bytes, sha256 })
            .map_err(|e| BackupFault::Read(file.to_owned(), e))
    }
}

fn digest(file: &Path, progress: &Progress) -> io::Result<(u64, String)> {
    let (mut file, mut digest, mut bytes) = (File::open(file)?, Sha256::new(), 0);
    let count = progress.begin(Step::DigestDatabase, usize::try_from(file.metadata()?.len()).ok());
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok((bytes, lower_hex(&digest.finalize())));
        }
        digest.update(&piece[..read]);
        bytes += read as u64;
        count.add(read as u64);
    }
}

impl Manifest {
    pub(super) fn read(backup: &Path) -> Result<Self, BackupFault> {
        let path = manifest_path(backup);
        let text = fs::read(&path).map_err(|error| BackupFault::Read(path.clone(), error))?;
        serde_json::from_slice(&text).map_err(|error| BackupFault::Manifest(path, error))
    }

    /// Writes the manifest of a backup under a temporary name, flushes it and renames it.
    pub(super) fn write(&self, backup: &Path) -> Result<(), BackupFault> {
        let path = manifest_path(backup);
        let part = private::with_suffix(&path, ".part");
        let text = serde_json::to_vec_pretty(self).map_err(|error| BackupFault::Manifest(path.clone(), error))?;
        let written = || {
            let mut file = private::options().create(true).truncate(true).open(&part)?;
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&part, &path)
        };
        written().map_err(|error| {
            let _ = fs::remove_file(&part); // the error that caused it is reported
            BackupFault::Write(path.clone(), error)
        })
    }

    /// Bytes of all media.
    pub fn media_bytes(&self) -> u64 {
        self.media.iter().map(|file| file.bytes).sum()
    }
}

/// The name of the list in the folder of the backups.
const LIST: &str = "deleted-cards.txt";

/// Returns the path of the list next to a backup, or in a folder of backups.
pub fn deleted_cards_list(backup: &Path) -> PathBuf {
    let folder = if backup.is_dir() { Some(backup) } else { backup.parent() };
    folder.unwrap_or(Path::new("")).join(LIST)
}

/// Adds deleted cards to the list next to the newest backup that was recorded. Returns the path of the list with the result;
/// `None` if there is no backup yet.
pub async fn list_deleted(services: &Services, ids: &[Uuid]) -> Result<Option<(PathBuf, io::Result<()>)>, Failure> {
    let Some(backup) = services.store.last_backup().await? else { return Ok(None) };
    let list = deleted_cards_list(Path::new(&backup.subject));
    let written = append(&list, services.clock.now(), ids);
    Ok(Some((list, written)))
}

fn append(list: &Path, now: Timestamp, ids: &[Uuid]) -> io::Result<()> {
    let lines: String = ids.iter().map(|id| format!("{now} {}\n", GlobalId::new(Kind::Card, *id))).collect();
    let is_new = !list.exists();
    let mut file = private::options().create(true).append(true).open(list)?;
    file.write_all(lines.as_bytes())?;
    file.sync_all()?;
    match list.parent().and_then(Owner::read) {
        Some(owner) if is_new && private::is_root() => owner.take(list),
        _ => Ok(()),
    }
}

/// Deletes the listed cards that exist. Returns their number.
pub async fn delete_listed(services: &Services, list: &Path, progress: &Progress) -> Result<usize, BackupFault> {
    let text = fs::read_to_string(list).map_err(|error| BackupFault::Read(list.to_owned(), error))?;
    let (listed, mut count) = (progress.begin(Step::DeleteCards, Some(text.lines().count())), 0);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let id = line.split_whitespace().last().and_then(|gid| GlobalId::uuid_of(gid, Kind::Card));
        let id = id.ok_or_else(|| BackupFault::DeletedCards { list: list.to_owned(), line: index + 1 })?;
        listed.add(1);
        match card::delete(services, id).await {
            Ok(_) => count += 1,
            Err(CardStateError::Failed(failure)) => return Err(failure.into()),
            Err(_) => {} // it was deleted before the backup, or by an earlier attempt
        }
    }
    Ok(count)
}
