//! `move`: copies everything to a database of the other kind, and marks the old one as moved.

use clap::Args;
use serde_json::json;

use super::audit::{Audited, record_in};
use super::failure::CliFailure;
use super::output::{Output, Table};
use crate::app::{Settings, media_store, media_store_at};
use crate::base::{Progress, Step};
use crate::operation::backup::{BackupFault, copy_media, verify_media};
use crate::store::{database_name, move_database, undo_move};

/// What an operator does who interrupted a move.
const GO_ON: &str = "No row was moved: the old database is as it was, and can be used. Run it again; media that were copied are not \
                     copied again.";

#[derive(Debug, Args)]
pub(super) struct MoveArgs {
    /// The empty database: postgres://…, or sqlite://<a file that does not exist>
    #[arg(long, value_name = "URL", required_unless_present = "undo")]
    to: Option<String>,
    /// Also copy the media here: a folder, or s3://bucket/prefix
    #[arg(long, value_name = "PLACE", requires = "to")]
    media_to: Option<String>,
    /// Make the database of the settings usable again after it was moved
    #[arg(long, conflicts_with_all = ["to", "media_to"])]
    undo: bool,
}

impl MoveArgs {
    /// The audit record of the command: in the new database, or with `--undo` in the source.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match &self.to {
            Some(to) => Audited::new("move", database_name(to), &[]),
            None => Audited::new("move undo", "the database", &[]),
        }
    }
}

pub(super) async fn run(settings: &Settings, args: &MoveArgs, output: Output) -> Result<(), CliFailure> {
    let Some(to) = &args.to else { return undo(settings, args.audit_entry(), output).await };
    let from = &settings.database_url;
    let target = Settings { database_url: to.clone(), ..settings.clone() };
    // Migrates the source: both databases must have the same tables.
    record_in(settings, None).await?;

    let (progress, media) = (output.progress(), args.media_to.as_ref());
    let of_media = media.map_or([].as_slice(), |_| &[Step::CopyMedia, Step::CompareMedia]);
    progress.plan(of_media.iter().copied().chain([Step::CopyRows, Step::CompareRows]), GO_ON);
    if let Some(place) = media {
        copy(settings, place, progress).await?;
    }
    let moved = move_database(from, to, progress).await?;
    record_in(&target, args.audit_entry()).await?;
    let output = output.of_database(database_name(to));
    let tables = moved.iter().map(|table| json!({ "table": table.name, "rows": table.rows, "digest": table.digest }));
    let object = json!({ "moved": tables.collect::<Vec<_>>(), "from": database_name(from), "media": args.media_to });
    output.show(&object, || {
        let mut table = Table::new(&["table", "rows", "digest on both sides"]);
        for moved in &moved {
            table.row([moved.name.clone(), moved.rows.to_string(), moved.digest[..16].to_owned()]);
        }
        let media = match &args.media_to {
            Some(_) => " and MEDIA_URL",
            None => "",
        };
        format!(
            "{}\nEverything is in the new database. Set DATABASE_URL{media} to the new place and start the server. The old \
             database is kept, and no server opens it.",
            table.render()
        )
    })
}

/// Copies the media that are not there yet, and compares all of them.
async fn copy(settings: &Settings, place: &str, progress: &Progress) -> Result<(), CliFailure> {
    let from = media_store(settings).map_err(BackupFault::from)?;
    let to = media_store_at(settings, place).map_err(BackupFault::from)?;
    let files = copy_media(&from, Some(&to), progress).await?;
    Ok(verify_media(&files, &to, progress).await?)
}

async fn undo(settings: &Settings, audited: Option<Audited>, output: Output) -> Result<(), CliFailure> {
    let undone = undo_move(&settings.database_url).await?;
    if undone {
        record_in(settings, audited).await?;
    }
    output.of_database(database_name(&settings.database_url)).show(&json!({ "undone": undone }), || match undone {
        true => "Servers can use this database again. It lacks what was written to the other database since the move."
            .to_owned(),
        false => "This database was not moved.".to_owned(),
    })
}
