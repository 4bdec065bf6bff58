//! `card delete`: one card, test cards, or those of a list. Each requires `--yes`, and without it reports what it would delete.

use std::io::{self, Write as _};
use std::path::Path;

use serde_json::json;
use uuid::Uuid;

use super::find_one::{find_one, with_gid};
use crate::base::{GlobalId, Kind, Timestamp};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::cli::table::one_line;
use crate::operation::backup::{delete_listed, list_deleted};
use crate::operation::card::Deletion;
use crate::operation::{card, partner};
use crate::services::Services;

/// Deletes the cards of a list, such as the one next to the backups, that exist.
pub(super) async fn listed(services: &Services, list: &Path, yes: bool, output: Output) -> Result<(), CliFailure> {
    if !yes {
        let what = format!("This deletes the cards that {} lists, with everything personal, for good.", list.display());
        return Err(CliFailure::dry_run(what, None));
    }
    let count = delete_listed(services, list).await?;
    output.show(&json!({ "deletedListed": count }), || format!("Deleted {count} cards of the list."))
}

pub(super) async fn one(services: &Services, gid: String, yes: bool, output: Output) -> Result<(), CliFailure> {
    let found = find_one(services, &gid).await?;
    let what = format!("the {} card of dossier {}", found.status.as_str(), one_line(&found.external_dossier_id));
    if !yes {
        let what = format!("This deletes {what}, with its photo, its invitees and everything personal, for good.");
        return Err(CliFailure::dry_run(what, 1));
    }
    let deleted = card::delete(services, found.id).await.map_err(with_gid(gid.clone()))?;
    note_deleted(services, &[found.id]).await?;
    let mut object = json!({ "deleted": gid });
    if deleted.photo_waits {
        object["photoWaits"] = true.into();
    }
    output.show(&object, || format!("Deleted {what}, and {} invitees.{}", deleted.card.invitees, later(&deleted)))
}

pub(super) async fn test_cards(
    services: &Services,
    partner: &str,
    before: Option<Timestamp>,
    yes: bool,
    output: Output,
) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    // Without a day: the cards that exist now.
    let before = before.unwrap_or_else(|| services.clock.now());
    let ids = card::test_cards(services, &partner, before).await?;
    if !yes {
        let what = format!("This deletes {} test cards of \"{}\", for good.", ids.len(), partner.name);
        return Err(CliFailure::dry_run(what, ids.len()));
    }
    let (mut deleted, mut waiting) = (Vec::with_capacity(ids.len()), 0);
    for &id in &ids {
        let gid = GlobalId::new(Kind::Card, id).to_string();
        waiting += usize::from(card::delete(services, id).await.map_err(with_gid(gid.clone()))?.photo_waits);
        deleted.push(gid);
    }
    note_deleted(services, &ids).await?;
    output.show(&json!({ "deleted": deleted, "photosWaiting": waiting }), || {
        let later = if waiting > 0 { format!(" The server removes {waiting} photos later.") } else { String::new() };
        format!("Deleted {} test cards of \"{}\".{later}", deleted.len(), partner.name)
    })
}

/// Adds the cards to the list next to the backups, so that a restore deletes them again. Says so if that fails.
async fn note_deleted(services: &Services, ids: &[Uuid]) -> Result<(), CliFailure> {
    if let Some((list, Err(error))) = list_deleted(services, ids).await? {
        let list = list.display();
        // A closed stderr loses the warning.
        let _ = writeln!(
            io::stderr(),
            "Warning: {list} could not be written ({error}). Backups still hold the card: delete it again after a restore."
        );
    }
    Ok(())
}

/// What is not deleted yet, if anything.
fn later(deleted: &Deletion) -> &'static str {
    match deleted.photo_waits {
        true => " The object store does not answer: the server removes the photo once it does.",
        false => "",
    }
}
