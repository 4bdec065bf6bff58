//! Files and folders that only the user of the process can read, whatever its umask.
//!
//! Called wherever something personal or secret is written: the database, backups, exports and mails.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Mode of a file: its owner reads and writes it.
const FILE_MODE: u32 = 0o600;
/// Mode of a folder: its owner lists and enters it.
const FOLDER_MODE: u32 = 0o700;

/// Creates a file with mode 0600; an error if it exists.
pub fn create_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).mode(FILE_MODE).open(path)
}

/// Creates a folder, and those above it that are missing, with mode 0700. An existing folder stays as it is.
pub fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path)
}
