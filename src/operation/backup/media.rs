//! Media of a backup: copied into another object store, compared with a manifest, and copied back.

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, TryStreamExt as _};

use super::{BackupFault, StoredFile, sha256};
use crate::media::{MediaError, MediaStore};

/// Files that are read and written at the same time.
const FILES_AT_ONCE: usize = 8;

/// Digests every file of an object store, and copies it into `to` unless it is there already. Returns the files
/// by their keys.
pub async fn copy_media(from: &MediaStore, to: Option<&MediaStore>) -> Result<Vec<StoredFile>, BackupFault> {
    let keys: Vec<String> = from.list().map_ok(|(key, _)| key).try_collect().await?;
    let copied = futures_util::stream::iter(keys).map(async |key| {
        let Some(bytes) = from.get(&key).await? else { return Ok(None) }; // deleted meanwhile, or no file of ours
        let file = StoredFile { bytes: bytes.len() as u64, sha256: sha256(&bytes), path: key };
        if let Some(to) = to
            && !is_there(to, &file).await?
        {
            to.put(&file.path, bytes).await?;
        }
        Ok::<_, MediaError>(Some(file))
    });
    let files: Vec<Option<StoredFile>> = copied.buffer_unordered(FILES_AT_ONCE).try_collect().await?;
    let mut files: Vec<_> = files.into_iter().flatten().collect();
    files.sort_unstable();
    Ok(files)
}

/// Compares each listed file with a copy of the media. Returns the missing and damaged ones as an error.
pub async fn verify_media(files: &[StoredFile], copy: &MediaStore) -> Result<(), BackupFault> {
    let checked = futures_util::stream::iter(files).map(async |file| {
        let good = is_there(copy, file).await?;
        Ok::<_, MediaError>((!good).then(|| file.path.clone()))
    });
    let faults: Vec<Option<String>> = checked.buffered(FILES_AT_ONCE).try_collect().await?;
    let faults: Vec<_> = faults.into_iter().flatten().collect();
    if faults.is_empty() { Ok(()) } else { Err(BackupFault::Media { listed: files.len(), faults }) }
}

/// Copies the listed files out of a verified copy.
pub async fn restore_media(files: &[StoredFile], copy: &MediaStore, to: &MediaStore) -> Result<(), BackupFault> {
    let copied = futures_util::stream::iter(files).map(async |file| {
        if !is_there(to, file).await?
            && let Some(bytes) = copy.get(&file.path).await?
        {
            to.put(&file.path, bytes).await?;
        }
        Ok::<_, MediaError>(())
    });
    copied.buffer_unordered(FILES_AT_ONCE).try_collect::<Vec<()>>().await?;
    verify_media(files, to).await
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
