//! `webhook secret issue|rotate|list|revoke`.

use std::time::Duration;

use clap::Subcommand;
use serde_json::json;

use super::SecretView;
use crate::cli::audit::Audited;
use crate::cli::duration::{OVERLAP, duration};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::cli::output::Table;
use crate::operation::partner;
use crate::operation::webhook::secret;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SecretCommand {
    /// Issue a secret, which is shown once; a second one signs next to the first
    Issue {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
    /// Replace the secret by a new one, which is shown once; both sign until the overlap is over
    Rotate {
        /// The name of the partner
        #[arg(long)]
        partner: String,
        /// How long the old secret signs next to the new one, such as 24h, 90m or 7d
        #[arg(long, value_name = "SPAN", default_value = OVERLAP, value_parser = duration)]
        overlap: Duration,
    },
    /// List the secrets of a partner by their fingerprints, with the ended ones
    List {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
    /// End a secret at once, because it may have leaked
    Revoke {
        /// The id of the secret, or its fingerprint
        secret: String,
        /// Do it even if it is the only one; then nothing is sent until another one is issued
        #[arg(long)]
        yes: bool,
    },
}

impl SecretCommand {
    /// What the command changes; `None` if it only reads.
    pub(crate) fn audited(&self) -> Option<Audited> {
        match self {
            SecretCommand::Issue { partner } => Audited::new("webhook secret issue", partner, &["secret"]),
            SecretCommand::Rotate { partner, .. } => {
                Audited::new("webhook secret rotate", partner, &["secret", "expiresAt"])
            }
            SecretCommand::Revoke { secret, .. } => Audited::new("webhook secret revoke", secret, &["revokedAt"]),
            SecretCommand::List { .. } => None,
        }
    }
}

pub(super) async fn run(services: &Services, command: SecretCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        SecretCommand::Issue { partner } => issue(services, &partner, output).await,
        SecretCommand::Rotate { partner, overlap } => rotate(services, &partner, overlap, output).await,
        SecretCommand::List { partner } => list(services, &partner, output).await,
        SecretCommand::Revoke { secret, yes } => revoke(services, &secret, yes, output).await,
    }
}

/// Shows a new secret, on a line of its own.
pub(in crate::cli) fn shown_once(view: &SecretView, secret: &str) -> String {
    format!(
        "{secret}\n\nThis secret signs the notifications of \"{}\" from now on (fingerprint {}, id {}).\nIt is shown this \
         once. Give it to the partner over a safe way, and keep no copy.",
        view.partner, view.fingerprint, view.id
    )
}

async fn issue(services: &Services, partner: &str, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let issued = secret::issue(services, &partner).await?;
    let view = SecretView::new(&partner, &issued, services.clock.now());
    let secret = issued.secret.reveal();
    output.show(&json!({ "webhookSecret": view, "secret": secret }), || shown_once(&view, &secret))
}

async fn rotate(services: &Services, partner: &str, overlap: Duration, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let (new, old) = secret::rotate(services, &partner, overlap).await?;
    let now = services.clock.now();
    let view = SecretView::new(&partner, &new, now);
    let old: Vec<_> = old.iter().map(|old| SecretView::new(&partner, old, now)).collect();
    let secret = new.secret.reveal();
    // `previous` is one of them: live and test subscriptions have secrets of their own after a rotation by the partner.
    let object = json!({ "webhookSecret": view, "secret": secret, "previous": old[0], "previousSecrets": old });
    output.show(&object, || {
        let line = |old: &SecretView| {
            let end = old.expires_at.as_deref().unwrap_or_default();
            format!("\nThe old one (fingerprint {}) also signs until {end}.", old.fingerprint)
        };
        shown_once(&view, &secret) + &old.iter().map(line).collect::<String>()
    })
}

async fn list(services: &Services, partner: &str, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let now = services.clock.now();
    let secrets = secret::list(services, &partner).await?;
    let views: Vec<_> = secrets.iter().map(|secret| SecretView::new(&partner, secret, now)).collect();
    output.show(&json!({ "webhookSecrets": views }), || table(&partner.name, &views))
}

fn table(partner: &str, views: &[SecretView]) -> String {
    if views.is_empty() {
        return format!(
            "\"{partner}\" has no secrets yet. Issue one with: card-service webhook secret issue --partner …"
        );
    }
    let mut table = Table::new(&["fingerprint", "state", "signs", "created", "ends", "revoked", "id"]);
    for view in views {
        table.row([
            view.fingerprint.clone(),
            view.state.to_owned(),
            view.signs.join(", "),
            view.created_at.clone(),
            view.ends(),
            view.revoked_at.clone().unwrap_or_default(),
            view.id.clone(),
        ]);
    }
    table.render()
}

async fn revoke(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
    let (partner, revoked) = secret::revoke(services, which, yes).await?;
    let view = SecretView::new(&partner, &revoked, services.clock.now());
    output.show(&json!({ "webhookSecret": view }), || {
        let moment = view.revoked_at.as_deref().unwrap_or_default();
        format!("The secret {} of \"{}\" is revoked since {moment}.", view.fingerprint, view.partner)
    })
}
