//! Media of a backup: copied into another object store, compared with a manifest, and copied back.

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, TryStreamExt as _};

use super::{BackupFault, StoredFile, sha256};
use crate::base::{Progress, Step};
use crate::media::{MediaError, MediaStore};
use crate::operation::Failure;
use crate::services::Services;

/// Files that are read and written at the same time.
const FILES_AT_ONCE: usize = 8;

/// Digests every file of an object store, and copies it into `to` unless it is there already. Returns the files
/// by their keys. A copy that `to` does not show afterwards is an error.
pub async fn copy_media(
    from: &MediaStore,
    to: Option<&MediaStore>,
    progress: &Progress,
) -> Result<Vec<StoredFile>, BackupFault> {
    let count = progress.begin(if to.is_some() { Step::CopyMedia } else { Step::DigestMedia }, None);
    let keys: Vec<String> = from.list().map_ok(|(key, _)| key).try_collect().await?;
    count.set_total(keys.len() as u64);
    let copied = futures_util::stream::iter(keys).map(async |key| {
        let Some(bytes) = from.get(&key).await? else { return Ok(None) }; // deleted meanwhile, or no file of ours
        let file = StoredFile { bytes: bytes.len() as u64, sha256: sha256(&bytes), path: key };
        let mut is_lost = false;
        if let Some(to) = to
            && !is_there(to, &file).await?
        {
            to.put(&file.path, bytes).await?;
            is_lost = to.size(&file.path).await? != Some(file.bytes);
        }
        count.add(1);
        Ok::<_, MediaError>(Some((file, is_lost)))
    });
    let copied: Vec<Option<(StoredFile, bool)>> = copied.buffer_unordered(FILES_AT_ONCE).try_collect().await?;
    let mut copied: Vec<_> = copied.into_iter().flatten().collect();
    copied.sort_unstable();
    let lost: Vec<_> = copied.iter().filter(|(_, is_lost)| *is_lost).map(|(file, _)| file.path.clone()).collect();
    match lost.is_empty() {
        true => Ok(copied.into_iter().map(|(file, _)| file).collect()),
        false => Err(BackupFault::Media { listed: copied.len(), faults: lost }),
    }
}

/// Photos that one query returns.
const PHOTOS_AT_ONCE: usize = 1_000;

/// Returns the keys of the pictures that cards and themes show.
pub async fn shown_media(services: &Services) -> Result<BTreeSet<String>, Failure> {
    let mut keys = BTreeSet::new();
    let mut after = String::new();
    loop {
        let photos = services.store.photos_shown(&after, PHOTOS_AT_ONCE).await?;
        keys.extend(photos.iter().map(|photo| format!("photo/{}", photo.as_str())));
        let Some(last) = photos.last() else { break };
        after = last.as_str().to_owned();
    }
    for (theme, _) in services.store.all_themes().await? {
        keys.extend(theme.images.into_iter().map(|image| format!("theme/{}", image.key)));
    }
    Ok(keys)
}

/// Compares each listed file with a copy of the media. Returns the missing and damaged ones as an error.
pub async fn verify_media(files: &[StoredFile], copy: &MediaStore, progress: &Progress) -> Result<(), BackupFault> {
    let count = progress.begin(Step::CompareMedia, Some(files.len()));
    let checked = futures_util::stream::iter(files).map(async |file| {
        let good = is_there(copy, file).await?;
        count.add(1);
        Ok::<_, MediaError>((!good).then(|| file.path.clone()))
    });
    let faults: Vec<Option<String>> = checked.buffered(FILES_AT_ONCE).try_collect().await?;
    let faults: Vec<_> = faults.into_iter().flatten().collect();
    if faults.is_empty() { Ok(()) } else { Err(BackupFault::Media { listed: files.len(), faults }) }
}

/// Copies the listed files out of a verified copy.
pub async fn restore_media(
    files: &[StoredFile],
    copy: &MediaStore,
    to: &MediaStore,
    progress: &Progress,
) -> Result<(), BackupFault> {
    let count = progress.begin(Step::CopyMedia, Some(files.len()));
    let copied = futures_util::stream::iter(files).map(async |file| {
        if !is_there(to, file).await?
            && let Some(bytes) = copy.get(&file.path).await?
        {
            to.put(&file.path, bytes).await?;
        }
        count.add(1);
        Ok::<_, MediaError>(())
    });
    copied.buffer_unordered(FILES_AT_ONCE).try_collect::<Vec<()>>().await?;
    verify_media(files, to, progress).await
}

/// Returns a file of an object store that the list does not have, if there is one.
pub async fn unlisted_media(files: &[StoredFile], store: &MediaStore) -> Result<Option<String>, BackupFault> {
    let listed: BTreeSet<_> = files.iter().map(|file| file.path.as_str()).collect();
    let mut found = store.list();
    while let Some((key, _)) = found.try_next().await? {
        if !listed.contains(key.as_str()) {
            return Ok(Some(key));
        }
    }
    Ok(None)
}

/// Whether a store holds the file with these bytes.
async fn is_there(store: &MediaStore, file: &StoredFile) -> Result<bool, MediaError> {
    if store.size(&file.path).await? != Some(file.bytes) {
        return Ok(false);
    }
    let bytes = store.get(&file.path).await?;
    Ok(bytes.is_some_and(|bytes| sha256(&bytes) == file.sha256))
}
