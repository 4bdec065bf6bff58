//! `webhook secret issue|rotate|list|revoke`.

use std::time::Duration;

use clap::Subcommand;
use serde_json::{Value, json};

use super::secret_object;
use crate::cli::audit::Audited;
use crate::cli::duration::{OVERLAP, duration};
use crate::cli::failure::CliFailure;
use crate::cli::output::{Output, render_table};
use crate::model::{Partner, WebhookSecret};
use crate::operation::partner;
use crate::operation::webhook::secret::{self, fingerprint};
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
    /// The audit record of the command; `None` if it only reads.
    pub(crate) fn audit_entry(&self) -> Option<Audited> {
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

/// Shows a new secret on a separate line.
pub(in crate::cli) fn shown_once(partner: &Partner, issued: &WebhookSecret) -> String {
    format!(
        "{}\n\nThis secret signs the notifications of \"{}\" from now on (fingerprint {}, id {}).\nIt is shown this \
         once. Give it to the partner over a safe way, and keep no copy.",
        issued.secret.reveal(),
        partner.name,
        fingerprint(&issued.secret),
        issued.id
    )
}

async fn issue(services: &Services, partner: &str, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let issued = secret::issue(services, &partner).await?;
    let view = secret_object(&partner, &issued, services.clock.now());
    let object = json!({ "webhookSecret": view, "secret": issued.secret.reveal() });
    output.show(&object, || shown_once(&partner, &issued))
}

async fn rotate(services: &Services, partner: &str, overlap: Duration, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let (new, old) = secret::rotate(services, &partner, overlap).await?;
    let view = |secret: &WebhookSecret| secret_object(&partner, secret, services.clock.now());
    let views: Vec<_> = old.iter().map(view).collect();
    // `previous` is one of them: after a rotation by the partner, live and test subscriptions have different secrets.
    let object = json!({
        "webhookSecret": view(&new), "secret": new.secret.reveal(), "previous": views[0], "previousSecrets": views
    });
    output.show(&object, || {
        let line = |old: &WebhookSecret| {
            let end = old.expires_at.map_or(String::new(), |timestamp| timestamp.to_string());
            format!("\nThe old one (fingerprint {}) also signs until {end}.", fingerprint(&old.secret))
        };
        shown_once(&partner, &new) + &old.iter().map(line).collect::<String>()
    })
}

async fn list(services: &Services, partner: &str, output: Output) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let now = services.clock.now();
    let secrets = secret::list(services, &partner).await?;
    let views: Vec<_> = secrets.iter().map(|secret| secret_object(&partner, secret, now)).collect();
    output.show(&json!({ "webhookSecrets": views }), || table(&partner.name, views.clone()))
}

fn table(partner: &str, mut views: Vec<Value>) -> String {
    if views.is_empty() {
        return format!(
            "\"{partner}\" has no secrets yet. Issue one with: card-service webhook secret issue --partner …"
        );
    }
    for view in &mut views {
        // For all subscriptions, or for the ones of one mode.
        let ends = [("", "expiresAt"), ("live: ", "liveEndsAt"), ("test: ", "testEndsAt")];
        let ends = ends.into_iter().filter_map(|(mode, name)| Some(format!("{mode}{}", view[name].as_str()?)));
        view["ends"] = ends.collect::<Vec<_>>().into();
    }
    let columns = "fingerprint | state | signs | created: createdAt | ends | revoked: revokedAt | id";
    render_table(columns, &views)
}

async fn revoke(services: &Services, which: &str, yes: bool, output: Output) -> Result<(), CliFailure> {
    let (partner, revoked) = secret::revoke(services, which, yes).await?;
    let view = secret_object(&partner, &revoked, services.clock.now());
    output.show(&json!({ "webhookSecret": view }), || {
        let timestamp = revoked.revoked_at.map_or(String::new(), |timestamp| timestamp.to_string());
        format!("The secret {} of \"{}\" is revoked since {timestamp}.", fingerprint(&revoked.secret), partner.name)
    })
}
