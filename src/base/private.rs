//! Files and folders that only the user of the process can access, for any umask.
//!
//! Used for everything personal or secret: the database, backups, exports and mails.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Mode of a file: its owner reads and writes it.
const FILE_MODE: u32 = 0o600;
/// Mode of a folder: its owner lists and enters it.
const FOLDER_MODE: u32 = 0o700;

/// Returns options that open a file for reading and writing, and give a new one mode 0600.
pub(crate) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(FILE_MODE);
    options
}

/// Creates a file with mode 0600; an error if it exists.
pub(crate) fn create_file(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

/// Writes a new file with mode 0600; an error if it exists.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_file(path)?.write_all(bytes)
}

/// Creates a folder, and those above it that are missing, with mode 0700. An existing folder stays as it is.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}

/// Returns the permission bits of a file or folder that users other than its owner have, as in 0o044.
pub(crate) fn open_to_others(found: &Metadata) -> u32 {
    found.permissions().mode() & 0o077
}

/// Takes every permission from users other than the owner. Returns the mode before, or None if they had none.
pub(crate) fn close_to_others(path: &Path) -> io::Result<Option<u32>> {
    let found = fs::metadata(path)?;
    if open_to_others(&found) == 0 {
        return Ok(None);
    }
    let before = found.permissions().mode() & 0o7777;
    fs::set_permissions(path, Permissions::from_mode(before & 0o700))?;
    Ok(Some(before))
}

/// Returns the path of a file in the same folder, with this suffix added to its name: `card.db-wal` for `card.db`.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
