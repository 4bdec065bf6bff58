//! Removes the access of other users to files of the data folder when a server starts.
//!
//! The service creates files with mode 0600 or 0700. This covers files of earlier versions and files that were copied there,
//! such as a restored backup.

use std::fs;
use std::path::{Path, PathBuf};

use super::settings::Settings;
use crate::base::private;

/// Removes the access of other users to the database, the mails and the pictures.
pub(super) fn close(settings: &Settings) {
    let mails = settings.data_dir.join("mail");
    let pictures = match settings.media_url.as_deref() {
        None => Some(settings.data_dir.join("media")),
        Some(address) => address.strip_prefix("file://").map(PathBuf::from),
    };
    let database = settings.database_url.strip_prefix("sqlite://");
    let database =
        database.into_iter().flat_map(|path| ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{path}{end}"))));
    let files = fs::read_dir(&mails).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let files: Vec<_> = files.collect();
    database.chain([mails]).chain(pictures).chain(files).for_each(|path| close_one(&path));
    warn_of_folder(&settings.data_dir);
}

fn close_one(path: &Path) {
    match private::close_to_others(path) {
        Ok(None) => {}
        Ok(Some(before)) => {
            let mode = format!("{before:04o}");
            tracing::info!(path = %path.display(), mode, "other users could read this; it was closed to them");
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "other users may be able to read this: its mode cannot be changed");
        }
    }
}

/// Logs a warning only: the data folder may contain other files, so its mode is not changed.
fn warn_of_folder(folder: &Path) {
    if fs::metadata(folder).is_ok_and(|found| private::open_to_others(&found) != 0) {
        let path = folder.display().to_string();
        tracing::warn!(path, "other users can look into the data folder: chmod 700 closes it to them");
    }
}
