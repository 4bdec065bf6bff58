//! Files and folders that only the user of the process can access, for any umask.
//!
//! Used for everything personal or secret: the database, backups, exports and mails.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown};
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

/// Creates a folder and its missing parents with mode 0700. An existing folder stays as it is.
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

/// A user and its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    uid: u32,
    gid: u32,
}

impl Owner {
    /// Returns the owner of a file or folder, or of the nearest folder above it that exists.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let path = std::path::absolute(path).ok()?;
        let found = path.ancestors().find_map(|path| fs::metadata(path).ok())?;
        Some(Self { uid: found.uid(), gid: found.gid() })
    }

    /// Gives a file, or a folder with everything below it, to this owner if it belongs to root. Links are not followed.
    pub(crate) fn take(self, path: &Path) -> io::Result<()> {
        let found = fs::symlink_metadata(path)?;
        if found.is_symlink() {
            return Ok(());
        }
        if found.uid() == ROOT {
            chown(path, Some(self.uid), Some(self.gid))?;
        }
        if found.is_dir() {
            for entry in fs::read_dir(path)? {
                self.take(&entry?.path())?;
            }
        }
        Ok(())
    }
}

/// The user id of root.
const ROOT: u32 = 0;

/// Returns whether this process runs as root.
pub(crate) fn is_root() -> bool {
    own_uid() == Some(ROOT)
}

/// Returns the user id of this process.
pub(crate) fn own_uid() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|own| own.uid())
}

/// Returns the name of a user id, or the id itself if it has no name.
pub(crate) fn user_name(uid: u32) -> Option<String> {
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let name = users.lines().find_map(|line| {
        let mut parts = line.split(':');
        let (name, number) = (parts.next()?, parts.nth(1)?);
        (number.parse() == Ok(uid)).then(|| name.to_owned())
    });
    Some(name.unwrap_or_else(|| format!("uid {uid}")))
}

/// Returns the owner and the mode of a file or folder, such as `card-service 0600`; `None` if it cannot be seen.
pub(crate) fn owner_and_mode(path: &Path) -> Option<String> {
    let found = fs::metadata(path).ok()?;
    Some(format!("{} {:04o}", user_name(found.uid())?, found.mode() & 0o7777))
}

/// Says for an error about a file that its file system is read-only, or whose the file is; empty if neither is the cause.
pub(crate) fn obstacle(path: &Path) -> String {
    let opened = OpenOptions::new().append(true).open(path);
    if opened.is_err_and(|error| error.kind() == io::ErrorKind::ReadOnlyFilesystem) {
        return ": its file system is read-only".to_owned();
    }
    foreign_owner(path)
}

/// Says whose a file is, for an error about it: empty if it belongs to the user of this process, or cannot be seen.
fn foreign_owner(path: &Path) -> String {
    let said = || {
        let found = fs::metadata(path).ok().filter(|found| Some(found.uid()) != own_uid())?;
        let (owner, own) = (user_name(found.uid())?, user_name(own_uid()?)?);
        Some(format!(": it belongs to {owner}, mode {:04o}, and this process runs as {own}", found.mode() & 0o7777))
    };
    said().unwrap_or_default()
}
