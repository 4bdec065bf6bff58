//! Users of the operating system: the name in an audit record, and a warning where a command runs as another user than the
//! owner of the data.

use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use url::Url;

use super::failure::{CliError, CliFailure};
use super::sources::environment;
use crate::app::Settings;
use crate::base::private::{self, Owner, own_uid, user_name};
use crate::store::FILE_SUFFIXES;

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
    let user = own_uid().and_then(user_name).or_else(|| environment("USER").filter(|name| !name.is_empty()));
    user.unwrap_or_else(|| "unknown".to_owned())
}

/// Warns on stderr if the data folder belongs to another user: the server may be unable to read what this command writes.
pub(super) fn warn_if_not_owner(settings: &Settings) {
    let owner = std::fs::metadata(&settings.data_dir).map(|folder| folder.uid());
    let (Ok(owner), Some(own)) = (owner, own_uid()) else { return };
    if owner != own
        && let (Some(owner), Some(own)) = (user_name(owner), user_name(own))
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

/// The owner of the files that a command makes as root, so that the server can read them.
#[derive(Clone, Copy)]
pub(super) struct DataOwner(Option<Owner>);

impl DataOwner {
    /// Finds the owner of the data folder, or of the folder above it, before the command creates anything. A user other than root
    /// owns what it makes.
    pub(super) fn find(settings: &Settings) -> Self {
        Self(private::is_root().then(|| Owner::read(&settings.data_dir)).flatten())
    }

    /// Gives the database, the data folder and the folder of media to the owner.
    pub(super) fn take(self, settings: &Settings) -> Result<(), CliFailure> {
        let Some(owner) = self.0 else { return Ok(()) };
        let file = settings.database_url.strip_prefix("sqlite://").map(PathBuf::from);
        let files = file.iter().flat_map(|file| FILE_SUFFIXES.map(|end| private::with_suffix(file, end)));
        let media = settings.media_url.as_deref().and_then(|url| Url::parse(url).ok()?.to_file_path().ok());
        for path in files.chain([settings.data_dir.clone()]).chain(media).filter(|path| path.exists()) {
            owner.take(&path).map_err(|error| CliError::Owner(path, error))?;
        }
        Ok(())
    }
}
