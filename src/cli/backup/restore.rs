//! `backup restore`: the database and the media of a backup at the places of the settings.

use serde_json::json;

use super::{CopyArgs, checked_media, held, media_copy, object};
use crate::app::{Settings, media_store};
use crate::cli::audit::{Audited, record_in};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::cli::progress::{self, Progress};
use crate::operation::backup::{BackupFault, restore_database, restore_media, unlisted_media, verify_database};
use crate::store::{Store, database_name};

/// Restores the media first: a database that is there is complete. A restore that was killed goes on when it is repeated.
pub(super) async fn restore(
    settings: &Settings,
    args: &CopyArgs,
    audited: Option<Audited>,
    output: Output,
) -> Result<(), CliFailure> {
    if Store::require(&settings.database_url).is_ok() {
        return Err(CliFailure::DatabaseExists(database_name(&settings.database_url)));
    }
    let manifest = progress::waiting("Reading the backup", output, verify_database(&args.file)).await?;
    if manifest.contents.is_none() {
        return Err(BackupFault::Dump.into());
    }
    if let Some(copy) = media_copy(settings, args.media.as_deref(), &manifest)? {
        checked_media(&copy, &manifest, output).await?;
        let to = media_store(settings).map_err(BackupFault::from)?;
        if let Some(key) = unlisted_media(&manifest.media, &to).await? {
            return Err(BackupFault::MediaNotEmpty(key).into());
        }
        let progress = Progress::new(manifest.media.len(), "Restoring the media", output);
        restore_media(&manifest.media, &copy, &to, || progress.advance(1)).await?;
    }
    let restored = restore_database(&args.file, &settings.database_url, &manifest);
    progress::waiting("Restoring the database", output, restored).await?;
    record_in(settings, audited).await?;
    let output = output.of_database(database_name(&settings.database_url));
    let mut object = object(&args.file, &manifest);
    object["restored"] = json!(true);
    output.show(&object, || {
        let held = held(&args.file, &manifest);
        format!("Restored {held}, with {} files of media. Start the server.", manifest.media.len())
    })
}
