//! A warning where a command that changes something runs as another user than the one to whom the data belongs: the server
//! may then be unable to read what the command writes.

use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;

use super::audit::{name_of, uid};
use crate::app::Settings;

/// Warns on stderr if the data folder belongs to another user.
pub(super) fn warn(settings: &Settings) {
    let owner = std::fs::metadata(&settings.data_dir).map(|folder| folder.uid());
    let (Ok(owner), Some(own)) = (owner, uid()) else { return };
    if owner != own
        && let (Some(owner), Some(own)) = (name_of(owner), name_of(own))
    {
        let folder = settings.data_dir.display();
        // With stderr closed there is nobody to warn.
        let _ = writeln!(
            std::io::stderr(),
            "Warning: {folder} belongs to {owner}, and this command runs as {own}: the server may be unable to read what \
             it writes. Run it as that user: sudo -u {owner} card-service …"
        );
    }
}
