//! `invitees purge`.

use clap::Subcommand;
use serde_json::json;

use super::audit::Audited;
use super::card;
use super::duration::day;
use super::failure::CliFailure;
use super::output::Output;
use crate::base::{Step, Timestamp};
use crate::operation::invitee::{self, InviteeSelection};
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum InviteesCommand {
    /// Delete people from invitee lists, with their personal links, for good
    Purge {
        /// All people on the list of this card: gid://service/Card/<uuid>
        #[arg(long, value_name = "GID", required_unless_present = "before", conflicts_with = "before")]
        card: Option<String>,
        /// All people who were added to any list before this day, such as 2026-01-31
        #[arg(long, value_name = "DAY", value_parser = day)]
        before: Option<Timestamp>,
        /// Do it; without this, only report how many
        #[arg(long)]
        yes: bool,
    },
}

impl InviteesCommand {
    /// The audit record of the command.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        let InviteesCommand::Purge { card, before, .. } = self;
        let before = before.map(|timestamp| format!("before {timestamp}"));
        Audited::new("invitees purge", card.clone().or(before).unwrap_or_default(), &[])
    }
}

pub(super) async fn run(services: &Services, command: InviteesCommand, output: Output) -> Result<(), CliFailure> {
    let InviteesCommand::Purge { card, before, yes } = command;
    let (selection, whom) = match (card, before) {
        (Some(gid), _) => {
            let found = card::find_one(services, &gid).await?;
            (InviteeSelection::OfCard(found.id), format!("on the list of {gid}"))
        }
        (None, Some(timestamp)) => {
            (InviteeSelection::AddedBefore(timestamp), format!("put on a list before {timestamp}"))
        }
        (None, None) => unreachable!("the command line asks for one of them"),
    };
    let count = invitee::count(services, selection).await?;
    if !yes {
        return Err(CliFailure::dry_run(format!("This removes {count} people {whom}, for good."), count));
    }
    let progress = output.progress();
    progress.plan([Step::DeleteInvitees], "Those that were counted are deleted. Run it again for the others.");
    let removed = invitee::delete(services, selection, progress).await?;
    output.show(&json!({ "removed": removed }), || format!("Removed {removed} people {whom}."))
}
