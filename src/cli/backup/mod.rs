//! `backup`: writes a verified copy of the database with a manifest of the media, and `backup verify`, `manifest`, `restore`
//! and `drill`.

mod drill;
mod dump;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use self::drill::DrillArgs;
use super::audit::{Audited, open_services};
use super::failure::{CliError, CliFailure};
use super::output::Output;
use super::system_user::DataOwner;
use crate::app::{Settings, media_store, media_store_at};
use crate::base::{Progress, Step};
use crate::media::MediaStore;
use crate::model::{BACKUP, BACKUP_DRILL, BACKUP_MANIFEST};
use crate::operation::Failure;
use crate::operation::backup::{
    BackupFault, Manifest, Pruned, StoredFile, copy_media, delete_listed, deleted_cards_list, manifest_path,
    new_backup, newest_backup, prune, publish, publish_dump, restore_database, restore_media, shown_media,
    unlisted_media, verify_database, verify_media,
};
use crate::services::Services;
use crate::store::{Store, database_name};

/// What an operator does who interrupted a backup.
const GO_ON: &str = "The backup is not complete: run it again. Media that were copied are not copied again.";

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct BackupArgs {
    #[command(subcommand)]
    action: Option<BackupAction>,
    #[command(flatten)]
    write: Option<WriteArgs>,
}

#[derive(Debug, Args)]
struct WriteArgs {
    /// A file that does not exist yet, or a folder, in which the file is named after the time; its manifest is written next to it, as
    /// <FILE>.manifest.json
    file: PathBuf,
    /// Also copy the media here: a folder, or s3://bucket/prefix; files that are there already are not copied again
    #[arg(long, value_name = "PLACE")]
    media: Option<String>,
    /// Then delete all but the last N complete backups in this folder (cards-….db and cards-….dump), and copied media that none of
    /// these needs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
}

impl WriteArgs {
    /// The step that reads the media.
    fn media_step(&self) -> Step {
        if self.media.is_some() { Step::CopyMedia } else { Step::DigestMedia }
    }
}

#[derive(Debug, Subcommand)]
enum BackupAction {
    /// Write the manifest of a dump of PostgreSQL that another program made, and copy the media
    Manifest(WriteArgs),
    /// Check a backup against its manifest: every byte of the database and of the copied media
    Verify(CopyArgs),
    /// Restore a backup to the database and the object store of the settings, which must be empty
    Restore(CopyArgs),
    /// Restore a backup into a temporary folder, start a server on it and read a card; the metrics show when this last worked
    Drill(DrillArgs),
}

/// A backup that exists.
#[derive(Debug, Args)]
pub(super) struct CopyArgs {
    /// The file that `backup` wrote; in a folder the newest one
    file: PathBuf,
    /// The copy of the media: a folder, or s3://bucket/prefix
    #[arg(long, value_name = "PLACE")]
    media: Option<String>,
}

impl BackupArgs {
    /// The audit record of the command; `None` if it takes nothing out.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match &self.action {
            None => Audited::new(BACKUP, absolute(&self.write.as_ref()?.file), &[]),
            Some(BackupAction::Manifest(args)) => Audited::new(BACKUP_MANIFEST, absolute(&args.file), &[]),
            Some(BackupAction::Restore(args)) => Audited::new("backup restore", path_text(&args.file), &[]),
            Some(BackupAction::Drill(args)) => Audited::new(BACKUP_DRILL, path_text(&args.file), &[]),
            Some(BackupAction::Verify(_)) => None,
        }
    }

    /// Runs the commands that need no database: `verify` and `restore`. Returns the others.
    pub(super) async fn run_alone(self, settings: &Settings, output: Output) -> Result<Option<Self>, CliFailure> {
        let audited = self.audit_entry();
        match self.action {
            Some(BackupAction::Verify(args)) => verify(settings, &args, output).await?,
            Some(BackupAction::Restore(args)) => restore(settings, &args, audited, output).await?,
            action => return Ok(Some(Self { action, ..self })),
        }
        Ok(None)
    }
}

pub(super) async fn run(
    services: &Services,
    settings: &Settings,
    command: BackupArgs,
    output: Output,
) -> Result<(), CliFailure> {
    let progress = output.progress();
    match (command.action, command.write) {
        (Some(BackupAction::Drill(args)), _) => drill::run(services, settings, args, output).await,
        (Some(BackupAction::Manifest(args)), _) => {
            progress.plan([args.media_step(), Step::DigestDatabase], GO_ON);
            let media = CopiedMedia::copy(services, settings, &args, progress).await?;
            let manifest = publish_dump(services, &args.file, media.files, progress).await?;
            require_all(media.lost)?;
            finish(services, settings, &args.file, &args, &manifest, output).await
        }
        (None, Some(args)) => write(services, settings, &args, output).await,
        (Some(BackupAction::Verify(_) | BackupAction::Restore(_)), _) | (None, None) => {
            unreachable!("it was run without a database, or is refused by the definition")
        }
    }
}

async fn write(services: &Services, settings: &Settings, args: &WriteArgs, output: Output) -> Result<(), CliFailure> {
    let file = new_backup(&args.file, services.clock.now());
    if file.exists() {
        return Err(BackupFault::Exists(file).into());
    }
    let progress = output.progress();
    progress.plan([Step::CopyDatabase, Step::CheckDatabase, args.media_step(), Step::DigestDatabase], GO_ON);
    let draft = services.store.back_up(file.clone(), progress).await.map_err(Failure::from)?;
    let Some(draft) = draft else { return dump::write(services, settings, args, output).await };
    // After the database: a photo is stored before the card that shows it.
    let media = CopiedMedia::copy(services, settings, args, progress).await?;
    let manifest = publish(services, draft, &file, media.files, progress).await?;
    require_all(media.lost)?;
    finish(services, settings, &file, args, &manifest, output).await
}

/// The media of a backup.
struct CopiedMedia {
    files: Vec<StoredFile>,
    /// The keys of the pictures that cards and themes show and the object store does not have.
    lost: Vec<String>,
}

impl CopiedMedia {
    async fn copy(
        services: &Services,
        settings: &Settings,
        args: &WriteArgs,
        progress: &Progress,
    ) -> Result<Self, CliFailure> {
        let mut lost = shown_media(services).await?;
        let files = copy_media(&services.media, copy_of_media(settings, args)?.as_ref(), progress).await?;
        for file in &files {
            lost.remove(&file.path);
        }
        if !lost.is_empty() {
            let shown = shown_media(services).await?; // without those that were deleted meanwhile
            lost.retain(|key| shown.contains(key));
        }
        Ok(Self { files, lost: lost.into_iter().collect() })
    }
}

/// Refuses to record a backup without all pictures, and to delete older ones.
fn require_all(lost: Vec<String>) -> Result<(), BackupFault> {
    if lost.is_empty() { Ok(()) } else { Err(BackupFault::Unstored(lost)) }
}

fn copy_of_media(settings: &Settings, args: &WriteArgs) -> Result<Option<MediaStore>, BackupFault> {
    Ok(args.media.as_deref().map(|place| media_store_at(settings, place)).transpose()?)
}

/// Writes the audit record, deletes old backups, and shows the contents of the new one.
async fn finish(
    services: &Services,
    settings: &Settings,
    file: &Path,
    args: &WriteArgs,
    manifest: &Manifest,
    output: Output,
) -> Result<(), CliFailure> {
    services.store.record_command().await.map_err(Failure::from)?;
    let pruned = match args.keep {
        Some(keep) => prune(file, keep.into(), copy_of_media(settings, args)?.as_ref()).await?,
        None => Pruned::default(),
    };
    let mut object = object(file, manifest);
    object["deleted"] = json!({ "backups": pruned.backups.len(), "media": pruned.media });
    output.show(&object, || {
        let media = match &args.media {
            Some(place) => format!("They are copied in {place}."),
            None => "They are not copied: copy the object store after this, or name a place with --media.".to_owned(),
        };
        let deleted = match args.keep {
            Some(_) => format!(" Deleted {} older backups and {} files of media.", pruned.backups.len(), pruned.media),
            None => String::new(),
        };
        format!(
            "Wrote {}. The manifest lists {} files of media, {} bytes. {media}{deleted} The backup holds personal data and \
             signing secrets: keep it as safe as the database.",
            describe(file, manifest),
            manifest.media.len(),
            manifest.media_bytes(),
        )
    })
}

/// The backup as an object.
fn object(file: &Path, manifest: &Manifest) -> Value {
    json!({
        "backup": path_text(file),
        "bytes": manifest.database.bytes,
        "schemaVersion": manifest.contents.as_ref().map(|contents| &contents.schema_version),
        "rows": manifest.contents.as_ref().map(|contents| &contents.rows),
        "manifest": path_text(&manifest_path(file)),
        "takenAt": manifest.taken_at,
        "media": { "files": manifest.media.len(), "bytes": manifest.media_bytes() },
    })
}

/// The file of a backup and its contents. A dump of PostgreSQL is not read.
fn describe(file: &Path, manifest: &Manifest) -> String {
    let (file, bytes) = (path_text(file), manifest.database.bytes);
    let Some(contents) = &manifest.contents else { return format!("{file}: {bytes} bytes of pg_dump") };
    let count = |table: &str| contents.rows.get(table).copied().unwrap_or_default();
    format!(
        "{file}: {bytes} bytes, schema {}, {} partners, {} cards, {} orders, {} events, read back and compared with the \
         database",
        contents.schema_version,
        count("partners"),
        count("cards"),
        count("orders"),
        count("events"),
    )
}

async fn verify(settings: &Settings, args: &CopyArgs, output: Output) -> Result<(), CliFailure> {
    let file = newest_backup(&args.file)?;
    let progress = output.progress();
    let of_media = args.media.as_ref().map(|_| Step::CompareMedia);
    progress.plan([Step::DigestDatabase, Step::CheckDatabase].into_iter().chain(of_media), "It changes nothing.");
    let manifest = verify_database(&file, progress).await?;
    let media = args.media.as_deref().map(|place| media_copy(settings, Some(place), &manifest)).transpose()?.flatten();
    if let Some(copy) = &media {
        verify_media(&manifest.media, copy, progress).await?;
    }
    let mut object = object(&file, &manifest);
    object["mediaVerified"] = media.is_some().into();
    output.show(&object, || {
        let media = match media.is_some() || manifest.media.is_empty() {
            true => "All are as they were.",
            false => "They were not checked: name their copy with --media.",
        };
        let described = describe(&file, &manifest);
        format!("The backup is good. {described}. The manifest lists {} files of media. {media}", manifest.media.len())
    })
}

/// Opens the copy of the media; `None` if the backup lists none. A copy that is missing is an error.
fn media_copy(settings: &Settings, place: Option<&str>, manifest: &Manifest) -> Result<Option<MediaStore>, CliFailure> {
    match place {
        _ if manifest.media.is_empty() => Ok(None),
        Some(place) if place.contains("://") || Path::new(place).is_dir() => {
            Ok(Some(media_store_at(settings, place).map_err(BackupFault::from)?))
        }
        _ => Err(BackupFault::NoMedia.into()),
    }
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// The path from the root, for the audit record: a later command finds the folder of the backups in it.
fn absolute(path: &Path) -> String {
    path_text(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// Restores the media first: a database that is there is complete. A restore that was killed goes on when it is repeated.
pub(super) async fn restore(
    settings: &Settings,
    args: &CopyArgs,
    audited: Option<Audited>,
    output: Output,
) -> Result<(), CliFailure> {
    if Store::require(&settings.database_url).is_ok() {
        return Err(CliError::DatabaseExists(database_name(&settings.database_url)).into());
    }
    let owner = DataOwner::find(settings);
    let file = newest_backup(&args.file)?;
    let progress = output.progress();
    let of_media = args.media.as_ref().map(|_| [Step::CompareMedia, Step::CopyMedia, Step::CompareMedia]);
    let (read, write) = ([Step::DigestDatabase, Step::CheckDatabase], [Step::RestoreDatabase, Step::CheckDatabase]);
    let deleted = deleted_cards_list(&file).exists().then_some(Step::DeleteCards);
    progress.plan(
        read.into_iter().chain(of_media.into_iter().flatten()).chain(write).chain(deleted),
        "Run it again: it goes on with the files that are missing.",
    );
    let manifest = verify_database(&file, progress).await?;
    if manifest.contents.is_none() {
        return Err(BackupFault::Dump.into());
    }
    if let Some(copy) = media_copy(settings, args.media.as_deref(), &manifest)? {
        verify_media(&manifest.media, &copy, progress).await?;
        let to = media_store(settings).map_err(BackupFault::from)?;
        if let Some(key) = unlisted_media(&manifest.media, &to).await? {
            return Err(BackupFault::MediaNotEmpty(key).into());
        }
        restore_media(&manifest.media, &copy, &to, progress).await?;
    }
    restore_database(&file, &settings.database_url, &manifest, progress).await?;
    let deleted = complete_restore(settings, audited, &deleted_cards_list(&file), progress).await;
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
async fn complete_restore(
    settings: &Settings,
    audited: Option<Audited>,
    list: &Path,
    progress: &Progress,
) -> Result<Option<usize>, CliFailure> {
    let (services, closer) = open_services(settings, audited).await?;
    services.store.record_command().await.map_err(Failure::from)?;
    let deleted = match list.exists() {
        true => Some(delete_listed(&services, list, progress).await),
        false => None,
    };
    drop(services);
    closer.close().await;
    Ok(deleted.transpose()?)
}
