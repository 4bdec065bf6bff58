//! `mail list`, `mail test`, `mail resend`: the mails to families and invitees, without their addresses.

use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::audit::Audited;
use super::card;
use super::failure::{CliError, CliFailure};
use super::output::{Output, render_table};
use super::view::mail_object;
use crate::base::trim_invisible;
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
    /// Send a mail again that was sent, refused or given up; it goes to the current address
    Resend {
        /// The id of the mail, as mail list shows it
        id: String,
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
            MailCommand::Resend { id } => Audited::with_words(audit::MAIL_RESEND, id),
        }
    }
}

pub(super) async fn run(services: &Services, command: MailCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        MailCommand::List { card, state, limit } => list(services, card, state, limit, output).await,
        MailCommand::Test { address } => test(services, address, output).await,
        MailCommand::Resend { id } => resend(services, &id, output).await,
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
