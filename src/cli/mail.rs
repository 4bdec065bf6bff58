//! `mail list`, `mail test`, `mail resend`: the mails to families and invitees, without their addresses.

use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::audit::Audited;
use super::card;
use super::duration::{Since, since};
use super::failure::{CliError, CliFailure};
use super::output::{Output, render_table};
use super::view::mail_object;
use crate::base::{limits, trim_invisible};
use crate::mail::Email;
use crate::model::{MailStateKind, audit};
use crate::operation::{Failure, mail};
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum MailCommand {
    /// List mails with their state, newest first; finished ones are kept for 30 days
    List {
        /// Only mails about this card: gid://service/Card/<uuid>
        #[arg(long, value_name = "GID")]
        card: Option<String>,
        /// Only mails in this state
        #[arg(long)]
        state: Option<State>,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
    },
    /// Send a mail to this address now, and show what the mail server says
    Test { address: String },
    /// Send a mail again that was sent, refused or given up, or all that failed since a time; they go to the current addresses
    #[command(group = clap::ArgGroup::new("which").required(true))]
    Resend {
        /// The id of the mail, as mail list shows it
        #[arg(group = "which")]
        id: Option<String>,
        /// All mails that were refused or given up since then and not sent again: 2026-11-21T08:00:00Z, or a span such as 24h
        #[arg(long, value_name = "WHEN", value_parser = since, group = "which")]
        failed_since: Option<Since>,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum State {
    Queued,
    Sent,
    Refused,
    GivenUp,
}

impl From<State> for MailStateKind {
    fn from(state: State) -> Self {
        match state {
            State::Queued => MailStateKind::Queued,
            State::Sent => MailStateKind::Sent,
            State::Refused => MailStateKind::Refused,
            State::GivenUp => MailStateKind::GivenUp,
        }
    }
}

impl MailCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            MailCommand::List { .. } | MailCommand::Test { .. } => None,
            MailCommand::Resend { id: Some(id), .. } => Audited::with_words(audit::MAIL_RESEND, id),
            MailCommand::Resend { id: None, .. } => Audited::with_words(audit::MAIL_RESEND, "all that failed"),
        }
    }
}

pub(super) async fn run(services: &Services, command: MailCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        MailCommand::List { card, state, limit } => list(services, card, state, limit, output).await,
        MailCommand::Test { address } => test(services, address, output).await,
        MailCommand::Resend { failed_since: Some(since), .. } => resend_failed(services, since, output).await,
        MailCommand::Resend { id, .. } => resend(services, &id.unwrap_or_default(), output).await,
    }
}

async fn list(
    services: &Services,
    card: Option<String>,
    state: Option<State>,
    limit: u32,
    output: Output,
) -> Result<(), CliFailure> {
    let (state, limit) = (state.map(MailStateKind::from), usize::try_from(limit).unwrap_or(usize::MAX));
    let mails = match card {
        Some(gid) => {
            let card_id = card::find_one(services, &gid).await?.id;
            let mut mails = services.store.mails_of(card_id).await.map_err(Failure::from)?;
            mails.retain(|mail| state.is_none_or(|state| mail.state.kind() == state));
            mails.into_iter().rev().take(limit).collect()
        }
        None => services.store.latest_mails(state, limit).await.map_err(Failure::from)?,
    };
    let views: Vec<_> = mails.iter().map(mail_object).collect();
    output.show(&json!({ "mails": views }), || match views.as_slice() {
        [] => "There are no such mails.".to_owned(),
        views => table(views),
    })
}

async fn test(services: &Services, address: String, output: Output) -> Result<(), CliFailure> {
    let text = format!("The mail server of the card service at {} works.", services.public_base);
    let at = services.clock.now();
    let email = Email {
        id: services.entropy.uuid(at),
        at,
        from_name: None,
        reply_to: None,
        to_name: None,
        to: trim_invisible(&address).to_owned(),
        subject: "Test of the card service".to_owned(),
        html: format!("<p>{text}</p>"),
        text,
        picture: None,
    };
    services.mailer.send(email).await.map_err(|source| CliError::TestMail { address: address.clone(), source })?;
    let is_sent = !services.mailer.is_folder();
    output.show(&json!({ "to": address, "sent": is_sent }), || match is_sent {
        true => format!("The mail server took a mail to {address}. Look whether it arrives, and not among the spam."),
        false => "SMTP_URL is not set: the mail was written into the data folder, and is not sent.".to_owned(),
    })
}

async fn resend(services: &Services, id: &str, output: Output) -> Result<(), CliFailure> {
    let view = mail_object(&mail::resend(services, id).await?);
    output.show(&json!({ "mail": view }), || {
        format!("The mail is queued again as {}; mail list shows its state.", view["id"].as_str().unwrap_or_default())
    })
}

async fn resend_failed(services: &Services, since: Since, output: Output) -> Result<(), CliFailure> {
    let mails = mail::resend_failed(services, since.timestamp(services.clock.now())).await?;
    let is_complete = mails.len() < limits::MAILS_RESENT_AT_ONCE;
    let views: Vec<_> = mails.iter().map(mail_object).collect();
    output.show(&json!({ "mails": views, "complete": is_complete }), || match views.len() {
        0 => "No mail failed since then that was not sent again.".to_owned(),
        count if is_complete => format!("{count} mails are queued again; mail list shows their state."),
        count => format!("{count} mails are queued again, and there are more: repeat the command."),
    })
}

/// Renders mails as a table.
pub(super) fn table(mails: &[Value]) -> String {
    let with_time = |mail: &Value| {
        let time = ["dueAt", "sentAt", "failedAt"].into_iter().find(|name| !mail[name].is_null());
        let mut mail = mail.clone();
        mail["time"] = time.map_or(Value::Null, |name| mail[name].clone());
        mail
    };
    let columns = "created: createdAt | kind | state | since or next: time | attempts | answer | card | mail: id";
    render_table(columns, &mails.iter().map(with_time).collect::<Vec<_>>())
}
