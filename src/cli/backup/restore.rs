//! `backup restore`: the database and the media of a backup at the places of the settings.

use std::path::Path;

use serde_json::json;

use super::{CopyArgs, describe, media_copy, object};
use crate::app::{Settings, media_store};
use crate::cli::audit::{Audited, open_services};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::cli::system_user::DataOwner;
use crate::operation::Failure;
use crate::operation::backup::{
    BackupFault, delete_listed, deleted_cards_list, newest_backup, restore_database, restore_media, unlisted_media,
    verify_database, verify_media,
};
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
    let owner = DataOwner::find(settings);
    let file = newest_backup(&args.file)?;
    let manifest = verify_database(&file).await?;
    if manifest.contents.is_none() {
        return Err(BackupFault::Dump.into());
    }
    if let Some(copy) = media_copy(settings, args.media.as_deref(), &manifest)? {
        verify_media(&manifest.media, &copy).await?;
        let to = media_store(settings).map_err(BackupFault::from)?;
        if let Some(key) = unlisted_media(&manifest.media, &to).await? {
            return Err(BackupFault::MediaNotEmpty(key).into());
        }
        restore_media(&manifest.media, &copy, &to).await?;
    }
    restore_database(&file, &settings.database_url, &manifest).await?;
    let deleted = finish(settings, audited, &deleted_cards_list(&file)).await;
    owner.take(settings)?;
    let deleted = deleted?;
    let output = output.of_database(database_name(&settings.database_url));
    let mut object = object(&file, &manifest);
    object["restored"] = json!(true);
    object["deletedAgain"] = json!(deleted);
    output.show(&object, || {
        let (described, media) = (describe(&file, &manifest), manifest.media.len());
        let again = match deleted {
            Some(count) => format!("{count} cards that were deleted later are deleted again."),
            None => "There is no list of cards that were deleted later: delete those again by hand.".to_owned(),
        };
        format!("Restored {described}, with {media} files of media. {again} Start the server.")
    })
}

/// Migrates the restored database, adds the audit record, and deletes the listed cards. Returns their number; `None` without a list.
async fn finish(settings: &Settings, audited: Option<Audited>, list: &Path) -> Result<Option<usize>, CliFailure> {
    let (services, closer) = open_services(settings, audited).await?;
    services.store.record_command().await.map_err(Failure::from)?;
    let deleted = match list.exists() {
        true => Some(delete_listed(&services, list).await),
        false => None,
    };
    drop(services);
    closer.close().await;
    Ok(deleted.transpose()?)
}
