//! `audit list`, and what is noted of every other command: who, when, what, and the names of the fields it sets.
//!
//! The note is written in the transaction of the change (`store::Auditor`), so that there is none without the other. A
//! command that only reads is not noted, but for `card export` and `backup`, which
//! take personal data out.

use serde_json::json;

use super::definition::{
    AuditCommand, CardCommand, Command, InviteesCommand, KeyCommand, PartnerCommand, ThemeCommand,
};
use super::failure::CliFailure;
use super::run::environment;
use super::session;
use super::stdout::Stdout;
use super::table::Table;
use super::version::VersionCommand;
use super::webhook;
use crate::base::Timestamp;
use crate::operation::{Failure, Services};
use crate::store::Auditor;

/// What a command changes.
pub(super) struct Change {
    pub command: &'static str,
    pub subject: String,
    pub fields: &'static [&'static str],
}

impl Change {
    pub fn new(command: &'static str, subject: impl Into<String>, fields: &'static [&'static str]) -> Option<Self> {
        Some(Self { command, subject: subject.into(), fields })
    }
}

/// What a command changes; `None`: it only reads, or is not the operator's hand on the database.
pub(super) fn change(command: &Command) -> Option<Change> {
    match command {
        Command::Init => Change::new("init", "the database", &[]),
        Command::Serve { .. } | Command::Demo | Command::DecodePhoto { .. } => None,
        Command::Usage(_) | Command::Report(_) | Command::Audit(_) => None,
        Command::Version(command) => version(command),
        Command::Backup { file } => Change::new("backup", file.display().to_string(), &[]),
        Command::Partner(command) => partner(command),
        Command::Key(command) => key(command),
        Command::Session(command) => session::change(command),
        Command::Theme(command) => theme(command),
        Command::Card(command) => card(command),
        Command::Invitees(InviteesCommand::Purge { card, before, .. }) => {
            let before = before.map(|moment| format!("before {moment}"));
            Change::new("invitees purge", card.clone().or(before).unwrap_or_default(), &[])
        }
        Command::Webhook(command) => webhook::change(command),
    }
}

fn partner(command: &PartnerCommand) -> Option<Change> {
    match command {
        PartnerCommand::Add { name } => Change::new("partner add", name, &["name"]),
        PartnerCommand::Block { name, .. } => Change::new("partner block", name, &["blocked"]),
        PartnerCommand::Unblock { name } => Change::new("partner unblock", name, &["blocked"]),
        PartnerCommand::TestAddress { name, .. } => Change::new("partner test-address", name, &["testAddress"]),
        PartnerCommand::RefreshAddress { name, .. } => {
            Change::new("partner refresh-address", name, &["refreshAddress"])
        }
        PartnerCommand::Price { name, .. } => Change::new("partner price", name, &["price"]),
        PartnerCommand::List | PartnerCommand::Show { .. } => None,
    }
}

fn key(command: &KeyCommand) -> Option<Change> {
    match command {
        KeyCommand::Issue(order) => Change::new("key issue", &order.partner, &["mode", "label", "expiresAt"]),
        KeyCommand::Rotate { key, .. } => Change::new("key rotate", key, &["expiresAt"]),
        KeyCommand::Revoke { key } => Change::new("key revoke", key, &["revokedAt"]),
        KeyCommand::List { .. } => None,
    }
}

fn theme(command: &ThemeCommand) -> Option<Change> {
    match command {
        ThemeCommand::Import { folder } => {
            let fields = &["title", "description", "images", "videos", "demoUrl", "position"];
            Change::new("theme import", folder.display().to_string(), fields)
        }
        ThemeCommand::Retire { theme, .. } => Change::new("theme retire", theme, &["retiredAt"]),
        ThemeCommand::List => None,
    }
}

fn card(command: &CardCommand) -> Option<Change> {
    match command {
        CardCommand::Order { gid } => Change::new("card order", gid, &["status"]),
        CardCommand::Activate { gid } => Change::new("card activate", gid, &["status", "cardUrl"]),
        CardCommand::Delete { gid, .. } => Change::new("card delete", gid, &[]),
        CardCommand::PurgeTest { partner, .. } => Change::new("card purge-test", partner, &[]),
        CardCommand::Export { gid, .. } => Change::new("card export", gid, &[]),
        CardCommand::Find { .. } | CardCommand::Show { .. } => None,
    }
}

fn version(command: &VersionCommand) -> Option<Change> {
    match command {
        VersionCommand::Deprecate { version, .. } => {
            Change::new("version deprecate", version, &["status", "sunset", "link"])
        }
        VersionCommand::Retire { version, .. } => Change::new("version retire", version, &["status"]),
        VersionCommand::Restore { version } => Change::new("version restore", version, &["status"]),
        VersionCommand::List => None,
    }
}

/// Has every write of these services noted.
pub(super) fn note(services: &mut Services, change: Change) {
    let Change { command, subject, fields } = change;
    let (clock, entropy) = (services.clock.clone(), services.entropy.clone());
    services.store = services.store.audited(Auditor { clock, entropy, actor: actor(), command, subject, fields });
}

/// The user of the operating system; behind `sudo`, the one who called it too.
fn actor() -> String {
    let user = uid().and_then(name_of).or_else(|| environment("USER").filter(|name| !name.is_empty()));
    let user = user.unwrap_or_else(|| "unknown".to_owned());
    match environment("SUDO_USER").filter(|name| !name.is_empty()) {
        Some(caller) => format!("{caller} as {user}"),
        None => user,
    }
}

/// The user whose process this is, by number.
pub(super) fn uid() -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").ok().map(|own| own.uid())
}

/// The name that belongs to a number, or the number where there is none.
pub(super) fn name_of(uid: u32) -> Option<String> {
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let name = users.lines().find_map(|line| {
        let mut parts = line.split(':');
        let (name, number) = (parts.next()?, parts.nth(1)?);
        (number.parse() == Ok(uid)).then(|| name.to_owned())
    });
    Some(name.unwrap_or_else(|| format!("uid {uid}")))
}

pub(super) async fn run(services: &Services, command: AuditCommand, stdout: Stdout) -> Result<(), CliFailure> {
    let AuditCommand::List { since, limit } = command;
    let since = since.or_else(|| Timestamp::from_millis(0)).unwrap_or_else(|| services.clock.now());
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let records = services.store.audit_since(since, limit).await.map_err(Failure::from)?;
    let objects = records.iter().map(|record| {
        json!({
            "at": record.at.to_string(),
            "actor": record.actor,
            "command": record.command,
            "subject": record.subject,
            "fields": record.fields,
        })
    });
    stdout.show(&json!({ "audit": objects.collect::<Vec<_>>() }), || {
        let mut table = Table::new(&["moment", "who", "command", "subject", "fields"]);
        for record in &records {
            table.row([
                record.at.to_string(),
                record.actor.clone(),
                record.command.clone(),
                record.subject.clone(),
                record.fields.join(", "),
            ]);
        }
        table.render()
    })?;
    Ok(())
}
