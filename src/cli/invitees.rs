//! `invitees purge`.

use serde_json::json;

use super::card;
use super::definition::InviteesCommand;
use super::failure::CliFailure;
use super::progress::Progress;
use super::stdout::Stdout;
use crate::operation::Services;
use crate::operation::invitee::{self, Purge};

pub(super) async fn run(services: &Services, command: InviteesCommand, stdout: Stdout) -> Result<(), CliFailure> {
    let InviteesCommand::Purge { card, before, yes } = command;
    let (purge, whom) = match (card, before) {
        (Some(gid), _) => {
            let found = card::find_one(services, &gid).await?;
            (Purge::OfCard(found.id), format!("on the list of {gid}"))
        }
        (None, Some(moment)) => (Purge::AddedBefore(moment), format!("put on a list before {moment}")),
        (None, None) => unreachable!("the command line asks for one of them"),
    };
    let count = invitee::count(services, purge).await?;
    if !yes {
        return Err(CliFailure::NotSaidYes(format!("This removes {count} people {whom}, for good.")));
    }
    let progress = Progress::of(count, "Removing people", stdout);
    let removed = invitee::purge(services, purge, |some| progress.advance(some)).await?;
    drop(progress);
    stdout.show(&json!({ "removed": removed }), || format!("Removed {removed} people {whom}."))?;
    Ok(())
}
