//! `retention show`: how long data is kept, and how many rows are due.

use std::time::Duration;

use clap::Subcommand;
use serde_json::{Value, json};

use super::failure::CliFailure;
use super::output::{Output, render_table};
use crate::base::limits;
use crate::operation::retention;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum RetentionCommand {
    /// Show how long each kind of data is kept; the server deletes it after that
    Show {
        /// Also count the rows that are due now
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) async fn run(services: &Services, command: RetentionCommand, output: Output) -> Result<(), CliFailure> {
    let RetentionCommand::Show { dry_run } = command;
    let due = match dry_run {
        true => Some(retention::count_due(services).await?),
        false => None,
    };
    let kept = services.policy.retention;
    let of = |count: fn(&retention::Expired) -> usize| due.as_ref().map(count);
    let (links, mails) = (Some(limits::SESSION_LINKS_KEPT), Some(limits::MAIL_KEPT));
    let rules = [
        rule("cards never ordered", kept.drafts, "their last change", Some("RETENTION_DRAFTS"), of(|due| due.drafts)),
        rule("cards online", kept.cards, "the day they went online", Some("RETENTION_CARDS"), of(|due| due.cards)),
        rule("invitees", kept.invitees, "their addition", Some("RETENTION_INVITEES"), of(|due| due.invitees)),
        rule("events of cards", kept.events, "the event", Some("RETENTION_EVENTS"), of(|due| due.events)),
        rule("audit log", kept.audit, "the command", Some("RETENTION_AUDIT"), of(|due| due.audit)),
        rule("session links", links, "their end", None, of(|due| due.session_links)),
        rule("files of mails", mails, "the mail", None, of(|due| due.mail_files)),
        rule("finished mails", mails, "the mail", None, None),
        rule("deliveries", Some(limits::DELIVERY_HELD), "the event", None, None),
        rule("usage counts", Some(limits::USAGE_KEPT), "the day", None, None),
    ];
    let columns = "data | kept | from | setting | due now: due";
    output.show(&json!({ "retention": rules }), || render_table(columns, &rules))
}

/// `kept` is a number of days, such as `180d`, or `for ever`; `due` is null where nothing was counted.
fn rule(data: &str, kept: Option<Duration>, from: &str, setting: Option<&str>, due: Option<usize>) -> Value {
    let kept = kept.map_or("for ever".to_owned(), |kept| format!("{}d", kept.as_secs() / (24 * 60 * 60)));
    json!({ "data": data, "kept": kept, "from": from, "setting": setting, "due": due })
}
