//! The manifest of a backup: what its database file holds, and the size and SHA-256 of every file.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::BackupFault;
use crate::base::{lower_hex, private};
use crate::store::BackupContents;

/// The bytes that are read into memory at once.
const PIECE_BYTES: usize = 256 * 1024;

/// What a backup consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// When the copy of the database was complete.
    pub taken_at: String,
    pub database: StoredFile,
    /// What the database holds; `None` for a dump of PostgreSQL.
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
    pub(super) fn of(file: &Path, path: String) -> Result<Self, BackupFault> {
        digest(file)
            .map(|(bytes, sha256)| Self { path, bytes, sha256 })
            .map_err(|e| BackupFault::Read(file.to_owned(), e))
    }
}

fn digest(file: &Path) -> io::Result<(u64, String)> {
    let (mut file, mut digest, mut bytes) = (File::open(file)?, Sha256::new(), 0);
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok((bytes, lower_hex(&digest.finalize())));
        }
        digest.update(&piece[..read]);
        bytes += read as u64;
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
