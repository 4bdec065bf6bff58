//! Backups: a copy of the database, the media, and a manifest of both (docs/operating.md, "Back up and restore").
//!
//! Called by `card-service backup`. The manifest has the name of the backup with `.manifest.json` after it, and is written
//! before the backup gets its name: a backup without one is not complete.

mod manifest;
mod media;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use futures_util::TryStreamExt as _;
use sha2::{Digest, Sha256};

use super::Failure;
use crate::base::{Progress, Step, Timestamp, lower_hex};
use crate::media::{MediaError, MediaStore};
use crate::outbound::FetchError;
use crate::services::Services;
use crate::store::{BackupContents, BackupDraft, BackupError, restore_backup, verify_backup};

pub use manifest::{Manifest, StoredFile, delete_listed, deleted_cards_list, list_deleted, manifest_path};
pub use media::{copy_media, restore_media, shown_media, unlisted_media, verify_media};

/// Why a backup was not made, or is not good.
#[derive(Debug, thiserror::Error)]
pub enum BackupFault {
    #[error("{} exists already: name a new file, so that no backup is overwritten.", .0.display())]
    Exists(PathBuf),
    #[error("There is no complete backup in {}: its files are named cards-….db or cards-….dump, each with its manifest.", .0.display())]
    NoBackup(PathBuf),
    #[error("Line {line} of {} names no card: a line ends with gid://service/Card/<uuid>.", list.display())]
    DeletedCards { list: PathBuf, line: usize },
    #[error("{} cannot be read.", .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error("{} cannot be written.", .0.display())]
    Write(PathBuf, #[source] io::Error),
    #[error("{} is no manifest of this version of the program.", .0.display())]
    Manifest(PathBuf, #[source] serde_json::Error),
    #[error("{} is not the file that its manifest describes: it was changed or cut off.", .0.display())]
    Changed(PathBuf),
    #[error("{} of {listed} files of media are missing or damaged: {}.", .faults.len(), first(.faults))]
    Media { listed: usize, faults: Vec<String> },
    #[error(
        "The backup was written, but {} pictures that cards and themes show were not in the object store: {}. Check MEDIA_URL, and run \
         `backup` again.", .0.len(), first(.0)
    )]
    Unstored(Vec<String>),
    #[error("The media were not copied with this backup, or lie elsewhere: name the copy with --media.")]
    NoMedia,
    #[error("The object store holds {0}, which is not in the backup: restore into an empty one.")]
    MediaNotEmpty(String),
    #[error(
        "The backup is of PostgreSQL: restore it with pg_restore, then name the restored database with --database."
    )]
    Dump,
    #[error("The object store failed.")]
    Store(#[from] MediaError),
    #[error("The database could not be backed up or restored.")]
    Failed(#[from] Failure),
}

/// The first names of a list.
fn first(names: &[String]) -> String {
    let more = if names.len() > 3 { ", …" } else { "" };
    names.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ") + more
}

/// Gives the verified copy of the database its name, after its manifest. Returns the manifest.
pub async fn publish(
    services: &Services,
    draft: BackupDraft,
    file: &Path,
    media: Vec<StoredFile>,
    progress: &Progress,
) -> Result<Manifest, BackupFault> {
    let taken_at = services.clock.now();
    let (file, progress) = (file.to_owned(), progress.clone());
    blocking(move || {
        let database = StoredFile::read(draft.path(), file_name(&file), &progress)?;
        let manifest =
            Manifest { taken_at: taken_at.to_string(), database, contents: Some(draft.contents.clone()), media };
        manifest.write(&file)?;
        draft.publish(&file).map_err(store_fault)?;
        Ok(manifest)
    })
    .await
}

/// Writes the manifest of a dump that pg_dump made.
pub async fn publish_dump(
    services: &Services,
    dump: &Path,
    media: Vec<StoredFile>,
    progress: &Progress,
) -> Result<Manifest, BackupFault> {
    let taken_at = services.clock.now();
    let (dump, progress) = (dump.to_owned(), progress.clone());
    blocking(move || {
        let database = StoredFile::read(&dump, file_name(&dump), &progress)?;
        let manifest = Manifest { taken_at: taken_at.to_string(), database, contents: None, media };
        manifest.write(&dump)?;
        Ok(manifest)
    })
    .await
}

/// Reads the manifest of a backup, and checks the backup against it.
pub async fn verify_database(file: &Path, progress: &Progress) -> Result<Manifest, BackupFault> {
    let (file, progress) = (file.to_owned(), progress.clone());
    blocking(move || {
        let manifest = Manifest::read(&file)?;
        if StoredFile::read(&file, manifest.database.path.clone(), &progress)? != manifest.database {
            return Err(BackupFault::Changed(file));
        }
        if let Some(contents) = &manifest.contents {
            progress.begin(Step::CheckDatabase, None);
            verify_backup(&file, contents).map_err(store_fault)?;
        }
        Ok(manifest)
    })
    .await
}

/// Copies the database of a backup to an address where there is none, and checks the copy.
pub async fn restore_database(
    file: &Path,
    url: &str,
    manifest: &Manifest,
    progress: &Progress,
) -> Result<(), BackupFault> {
    let expected: BackupContents = manifest.contents.clone().ok_or(BackupFault::Dump)?;
    let (file, url, progress) = (file.to_owned(), url.to_owned(), progress.clone());
    blocking(move || {
        restore_backup(&file, &url, &expected, &progress).map_err(|error| BackupFault::Failed(error.into()))?;
        Ok(())
    })
    .await
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn store_fault(error: BackupError) -> BackupFault {
    BackupFault::Failed(Failure::Store(error.into()))
}

/// Runs work that blocks on a thread for such work.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BackupFault> + Send + 'static,
) -> Result<T, BackupFault> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(panic) => Err(BackupFault::Failed(Failure::Store(crate::store::StoreError::Failed(panic.into())))),
    }
}

fn sha256(bytes: &[u8]) -> String {
    lower_hex(&Sha256::digest(bytes))
}

/// The start of the names of backups that are kept or deleted by their age.
const START: &str = "cards-";

/// The backups and media that were deleted because newer ones are kept.
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

/// Why a drill failed.
#[derive(Debug, thiserror::Error)]
pub enum DrillFailure {
    #[error("Another drill is running in {}.", .0.display())]
    Running(PathBuf),
    #[error("The folder {} cannot be used.", .0.display())]
    Folder(PathBuf, #[source] std::io::Error),
    #[error("--database names the database of the service, not a restored one.")]
    OwnDatabase,
    #[error("A card or theme shows {0}, which is not in the copy of the media.")]
    Picture(String),
    #[error("No version of the API is available on the restored database.")]
    NoVersion,
    #[error("The restored service did not answer with the card {0}.")]
    Card(String),
    #[error("The restored service could not be asked for {0}.")]
    Request(String, #[source] FetchError),
    #[error("The client of the drill cannot be made.")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}
