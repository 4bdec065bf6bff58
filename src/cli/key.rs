//! `key issue|rotate|revoke|list`.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::audit::Audited;
use super::duration::{OVERLAP, duration};
use super::failure::CliFailure;
use super::output::Output;
use super::output::Table;
use super::view::KeyView;
use crate::base::Timestamp;
use crate::model::{AccessKey, KeyMode, audit};
use crate::operation::key::{KeyOrder, Rotated};
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
    /// What the command changes; `None` if it only reads.
    pub(super) fn audited(&self) -> Option<Audited> {
        match self {
            KeyCommand::Issue(order) => Audited::of(audit::KEY_ISSUE, &order.partner),
            KeyCommand::Rotate { key, .. } => Audited::new("key rotate", key, &["expiresAt"]),
            KeyCommand::Revoke { key } => Audited::of(audit::KEY_REVOKE, key),
            KeyCommand::List { .. } => None,
        }
    }
}

pub(super) async fn run(services: &Services, command: KeyCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        KeyCommand::Issue(order) => issue(services, order, output).await,
        KeyCommand::Rotate { key, overlap } => rotate(services, &key, overlap, output).await,
        KeyCommand::Revoke { key } => revoke(services, &key, output).await,
        KeyCommand::List { partner } => list(services, &partner, output).await,
    }
}

async fn issue(services: &Services, order: KeyIssue, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, &order.partner).await?;
    let order = KeyOrder { mode: order.mode.into(), label: order.label, valid_days: order.expires_days };
    let (issued, token) = key::issue(services, &partner, order).await?;
    let view = KeyView::new(&partner, &issued);
    output.show(&json!({ "key": view, "token": token.reveal() }), || {
        let end = view.expires_at.as_ref().map_or(String::new(), |moment| format!(", valid until {moment}"));
        format!(
            "{}\n\nThis is the token of a {} key of \"{}\" (id {}{end}).\nIt is shown this once. Keep it safe: the \
             service itself does not have it.",
            token.reveal(),
            view.mode,
            view.partner,
            view.id
        )
    })
}

async fn rotate(services: &Services, which: &str, overlap: Duration, output: Output) -> Result<(), CliFailure> {
    let Rotated { partner, key, token, old } = key::rotate(services, which, overlap).await?;
    let (view, previous) = (KeyView::new(&partner, &key), KeyView::new(&partner, &old));
    output.show(&json!({ "key": view, "token": token.reveal(), "previous": previous }), || {
        format!(
            "{}\n\nThis is the token of a {} key of \"{}\" (id {}).\nIt is shown this once. Keep it safe: the service \
             itself does not have it.\nThe old key …{} also works until {}.",
            token.reveal(),
            view.mode,
            view.partner,
            view.id,
            previous.last_four,
            previous.expires_at.as_deref().unwrap_or_default()
        )
    })
}

async fn revoke(services: &Services, which: &str, output: Output) -> Result<(), CliFailure> {
    let (partner, revoked) = key::revoke(services, which).await?;
    let view = KeyView::new(&partner, &revoked);
    output.show(&json!({ "key": view }), || {
        let moment = view.revoked_at.as_deref().unwrap_or_default();
        format!("The {} key …{} of \"{}\" is revoked since {moment}.", view.mode, view.last_four, view.partner)
    })
}

async fn list(services: &Services, name: &str, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, name).await?;
    let keys = key::list(services, &partner).await?;
    let views: Vec<_> = keys.iter().map(|key| KeyView::new(&partner, key)).collect();
    output.show(&json!({ "keys": views }), || table(&partner.name, &keys, &views, services.clock.now()))
}

fn table(partner: &str, keys: &[AccessKey], views: &[KeyView], now: Timestamp) -> String {
    if keys.is_empty() {
        return format!(
            "\"{partner}\" has no keys yet. Issue one with: card-service key issue --partner … --mode test"
        );
    }
    let mut table = Table::new(&["mode", "token", "state", "label", "created", "expires", "last used", "id"]);
    for (key, view) in keys.iter().zip(views) {
        let state = match key {
            AccessKey { revoked_at: Some(_), .. } => "revoked",
            key if key.is_valid_at(now) => "valid",
            _ => "expired",
        };
        table.row([
            view.mode.to_owned(),
            format!("…{}", view.last_four),
            state.to_owned(),
            view.label.clone().unwrap_or_default(),
            view.created_at.clone(),
            view.expires_at.clone().unwrap_or_default(),
            view.last_used_at.clone().unwrap_or_default(),
            view.id.clone(),
        ]);
    }
    table.render()
}
