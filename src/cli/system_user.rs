//! Users of the operating system: the name in an audit record, and a warning where a command runs as another user than the
//! owner of the data.

use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::sources::environment;
use crate::app::Settings;

/// The name of the user who runs this command, with the caller of `sudo` before it.
pub(super) fn actor() -> String {
    let user = own_user();
    match environment("SUDO_USER").filter(|name| !name.is_empty()) {
        Some(caller) => format!("{caller} as {user}"),
        None => user,
    }
}

/// The name of the user who runs this command.
pub(super) fn own_user() -> String {
    let user = own_uid().and_then(name_of).or_else(|| environment("USER").filter(|name| !name.is_empty()));
    user.unwrap_or_else(|| "unknown".to_owned())
}

/// The owner and the mode of a file or folder, such as `card-service 0600`; `None` if it cannot be seen.
pub(super) fn owner_and_mode(path: &Path) -> Option<String> {
    let found = std::fs::metadata(path).ok()?;
    Some(format!("{} {:04o}", name_of(found.uid())?, found.mode() & 0o7777))
}

/// Warns on stderr if the data folder belongs to another user: the server may be unable to read what this command writes.
pub(super) fn warn_if_not_owner(settings: &Settings) {
    let owner = std::fs::metadata(&settings.data_dir).map(|folder| folder.uid());
    let (Ok(owner), Some(own)) = (owner, own_uid()) else { return };
    if owner != own
        && let (Some(owner), Some(own)) = (name_of(owner), name_of(own))
    {
        let folder = settings.data_dir.display();
        // A closed stderr loses the warning.
        let _ = writeln!(
            std::io::stderr(),
            "Warning: {folder} belongs to {owner}, and this command runs as {own}: the server may be unable to read what \
             it writes. Run it as that user: sudo -u {owner} card-service …"
        );
    }
}

/// The user id of this process.
fn own_uid() -> Option<u32> {
    std::fs::metadata("/proc/self").ok().map(|own| own.uid())
}

/// The name of a user id, or the id itself if it has no name.
fn name_of(uid: u32) -> Option<String> {
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let name = users.lines().find_map(|line| {
        let mut parts = line.split(':');
        let (name, number) = (parts.next()?, parts.nth(1)?);
        (number.parse() == Ok(uid)).then(|| name.to_owned())
    });
    Some(name.unwrap_or_else(|| format!("uid {uid}")))
}
