//! `key issue|rotate|revoke|list`.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::audit::Audited;
use super::duration::{OVERLAP, duration};
use super::failure::CliFailure;
use super::output::{Output, render_table};
use super::view::key_object;
use crate::base::Timestamp;
use crate::model::{AccessKey, AccessToken, KeyMode, Partner, audit};
use crate::operation::key::{NewKey, Rotated};
use crate::operation::{key, partner};
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Issue a key; its token is shown once
    Issue(KeyIssue),
    /// Issue a key that replaces another; its token is shown once, and both work until the overlap is over
    Rotate {
        /// The id of the old key, or the last four characters of its token
        key: String,
        /// How long the old key works next to the new one, such as 24h, 90m or 7d
        #[arg(long, value_name = "SPAN", default_value = OVERLAP, value_parser = duration)]
        overlap: Duration,
    },
    /// Revoke a key; running servers refuse it within five seconds, and its sessions end
    Revoke {
        /// The id of the key, or the last four characters of its token
        key: String,
    },
    /// List the keys of a partner
    List {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct KeyIssue {
    /// The name of the partner
    #[arg(long)]
    pub partner: String,
    /// The mode; cards created with a test key have `test: true`
    #[arg(long)]
    pub mode: Mode,
    /// A name for the key
    #[arg(long)]
    pub label: Option<String>,
    /// The number of days after which the key expires; without this, never
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=KEY_VALID_DAYS))]
    pub expires_days: Option<u32>,
}

const KEY_VALID_DAYS: i64 = crate::base::limits::KEY_VALID_DAYS_MAX as i64;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Mode {
    Live,
    Test,
}

impl From<Mode> for KeyMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Live => KeyMode::Live,
            Mode::Test => KeyMode::Test,
        }
    }
}

impl KeyCommand {
    /// The audit record of the command; `None` if it only reads.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            KeyCommand::Issue(wanted) => Audited::with_words(audit::KEY_ISSUE, &wanted.partner),
            KeyCommand::Rotate { key, .. } => Audited::new("key rotate", key, &["expiresAt"]),
            KeyCommand::Revoke { key } => Audited::with_words(audit::KEY_REVOKE, key),
            KeyCommand::List { .. } => None,
        }
    }
}

pub(super) async fn run(services: &Services, command: KeyCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        KeyCommand::Issue(wanted) => issue(services, wanted, output).await,
        KeyCommand::Rotate { key, overlap } => rotate(services, &key, overlap, output).await,
        KeyCommand::Revoke { key } => revoke(services, &key, output).await,
        KeyCommand::List { partner } => list(services, &partner, output).await,
    }
}

async fn issue(services: &Services, wanted: KeyIssue, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, &wanted.partner).await?;
    let new = NewKey { mode: wanted.mode.into(), label: wanted.label, valid_days: wanted.expires_days };
    let (issued, token) = key::issue(services, &partner, new).await?;
    let object = json!({ "key": key_object(&partner, &issued), "token": token.reveal() });
    output.show(&object, || shown_once(&partner, &issued, &token))
}

/// Shows a new token on a separate line.
fn shown_once(partner: &Partner, key: &AccessKey, token: &AccessToken) -> String {
    let end = key.expires_at.map_or(String::new(), |timestamp| format!(", valid until {timestamp}"));
    format!(
        "{}\n\nThis is the token of a {} key of \"{}\" (id {}{end}).\nIt is shown this once. Keep it safe: the \
         service itself does not have it.",
        token.reveal(),
        key.mode.as_str(),
        partner.name,
        key.id
    )
}

async fn rotate(services: &Services, which: &str, overlap: Duration, output: Output) -> Result<(), CliFailure> {
    let Rotated { partner, key, token, old } = key::rotate(services, which, overlap).await?;
    let object = json!({
        "key": key_object(&partner, &key), "token": token.reveal(), "previous": key_object(&partner, &old)
    });
    output.show(&object, || {
        let end = old.expires_at.map_or(String::new(), |timestamp| timestamp.to_string());
        format!("{}\nThe old key …{} also works until {end}.", shown_once(&partner, &key, &token), old.last_four)
    })
}

async fn revoke(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    let (partner, revoked) = key::revoke(services, which).await?;
    output.show(&json!({ "key": key_object(&partner, &revoked) }), || {
        let (mode, timestamp) = (revoked.mode.as_str(), revoked.revoked_at.map_or(String::new(), |at| at.to_string()));
        format!("The {mode} key …{} of \"{}\" is revoked since {timestamp}.", revoked.last_four, partner.name)
    })
}

async fn list(services: &Services, name: &str, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, name).await?;
    let keys = key::list(services, &partner).await?;
    let views: Vec<_> = keys.iter().map(|key| key_object(&partner, key)).collect();
    output.show(&json!({ "keys": views }), || table(&partner.name, &keys, views.clone(), services.clock.now()))
}

fn table(partner: &str, keys: &[AccessKey], mut views: Vec<Value>, now: Timestamp) -> String {
    if keys.is_empty() {
        return format!(
            "\"{partner}\" has no keys yet. Issue one with: card-service key issue --partner … --mode test"
        );
    }
    for (key, view) in keys.iter().zip(&mut views) {
        let state = match key {
            AccessKey { revoked_at: Some(_), .. } => "revoked",
            key if key.is_valid_at(now) => "valid",
            _ => "expired",
        };
        view["state"] = state.into();
        view["token"] = format!("…{}", key.last_four).into();
    }
    let columns = "mode | token | state | label | created: createdAt | expires: expiresAt | last used: lastUsedAt | id";
    render_table(columns, &views)
}
