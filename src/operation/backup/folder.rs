//! A folder of backups: the name of a new one, the newest one, and which are kept.
//!
//! A backup in a folder is named after its time, such as `cards-2026-11-25T021500Z.db`, so that names sort by age. It is complete
//! once its manifest is next to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use futures_util::TryStreamExt as _;

use super::{BackupFault, Manifest, manifest_path};
use crate::base::Timestamp;
use crate::media::MediaStore;

/// The start of the names of backups that are kept or deleted by their age.
const START: &str = "cards-";

/// What was deleted because newer backups are kept.
#[derive(Debug, Default)]
pub struct Pruned {
    pub backups: Vec<PathBuf>,
    pub media: usize,
}

/// Returns the path of a new backup: `place` itself, or in a folder a file that is named after the time.
pub fn new_backup(place: &Path, now: Timestamp) -> PathBuf {
    match place.is_dir() {
        true => place.join(format!("{START}{}.db", now.utc().format("%Y-%m-%dT%H%M%SZ"))),
        false => place.to_owned(),
    }
}

/// Returns the newest complete backup of a folder. A file is returned as it is.
pub fn newest_backup(place: &Path) -> Result<PathBuf, BackupFault> {
    match place.is_dir() {
        true => complete_backups(place)?.pop().ok_or_else(|| BackupFault::NoBackup(place.to_owned())),
        false => Ok(place.to_owned()),
    }
}

/// Deletes the complete backups next to `newest` but the last `keep` of them, and the files of `media` that none of these lists.
pub async fn prune(newest: &Path, keep: usize, media: Option<&MediaStore>) -> Result<Pruned, BackupFault> {
    let folder = newest.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut kept = complete_backups(folder)?;
    kept.retain(|backup| backup.file_name() != newest.file_name());
    let old: Vec<PathBuf> = kept.drain(..(kept.len() + 1).saturating_sub(keep)).collect();
    for backup in &old {
        for file in [backup.clone(), manifest_path(backup)] {
            fs::remove_file(&file).map_err(|error| BackupFault::Write(file.clone(), error))?;
        }
    }
    let mut pruned = Pruned { backups: old, media: 0 };
    let Some(media) = media else { return Ok(pruned) };
    let mut listed = BTreeSet::new();
    for backup in kept.iter().map(PathBuf::as_path).chain([newest]) {
        listed.extend(Manifest::read(backup)?.media.into_iter().map(|file| file.path));
    }
    let copied: Vec<(String, u64)> = media.list().try_collect().await?;
    for (key, _) in copied.into_iter().filter(|(key, _)| MediaStore::is_key(key) && !listed.contains(key)) {
        media.delete(&key).await?;
        pruned.media += 1;
    }
    Ok(pruned)
}

/// The complete backups of a folder, oldest first.
fn complete_backups(folder: &Path) -> Result<Vec<PathBuf>, BackupFault> {
    let unreadable = |error| BackupFault::Read(folder.to_owned(), error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let is_backup = path
            .file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with(START) && (name.ends_with(".db") || name.ends_with(".dump")));
        if is_backup && manifest_path(&path).exists() {
            found.push(path);
        }
    }
    found.sort_unstable();
    Ok(found)
}
