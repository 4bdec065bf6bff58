//! `webhook secret issue|rotate|list|revoke`.

use serde_json::json;

use super::definition::SecretCommand;
use super::view::SecretView;
use crate::cli::failure::CliFailure;
use crate::cli::stdout::Stdout;
use crate::cli::table::Table;
use crate::operation::webhook::secret;
use crate::operation::{Services, partner};

pub(super) async fn run(services: &Services, command: SecretCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        SecretCommand::Issue { partner } => issue(services, &partner, stdout).await,
        SecretCommand::Rotate { partner, overlap } => rotate(services, &partner, overlap, stdout).await,
        SecretCommand::List { partner } => list(services, &partner, stdout).await,
        SecretCommand::Revoke { secret, yes } => revoke(services, &secret, yes, stdout).await,
    }
}

const SHOWN_ONCE: &str = "It is shown this once. Give it to the partner over a safe way, and keep no copy.";

async fn issue(services: &Services, partner: &str, stdout: Stdout) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let issued = secret::issue(services, &partner).await?;
    let view = SecretView::new(&partner, &issued, services.clock.now());
    stdout.show(&json!({ "webhookSecret": view, "secret": issued.secret.reveal() }), || {
        format!(
            "{}\n\nThis secret signs the notifications of \"{}\" from now on (fingerprint {}, id {}).\n{SHOWN_ONCE}",
            issued.secret.reveal(),
            view.partner,
            view.fingerprint,
            view.id
        )
    })?;
    Ok(())
}

async fn rotate(
    services: &Services,
    partner: &str,
    overlap: std::time::Duration,
    stdout: Stdout,
) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let (new, old) = secret::rotate(services, &partner, overlap).await?;
    let now = services.clock.now();
    let (view, previous) = (SecretView::new(&partner, &new, now), SecretView::new(&partner, &old, now));
    let object = json!({ "webhookSecret": view, "secret": new.secret.reveal(), "previous": previous });
    stdout.show(&object, || {
        format!(
            "{}\n\nThis secret signs the notifications of \"{}\" from now on (fingerprint {}, id {}).\n{SHOWN_ONCE}\n\
             The old one (fingerprint {}) signs beside it until {}.",
            new.secret.reveal(),
            view.partner,
            view.fingerprint,
            view.id,
            previous.fingerprint,
            previous.expires_at.as_deref().unwrap_or_default()
        )
    })?;
    Ok(())
}

async fn list(services: &Services, partner: &str, stdout: Stdout) -> Result<(), CliFailure> {
    let partner = partner::find(services, partner).await?;
    let now = services.clock.now();
    let secrets = secret::list(services, &partner).await?;
    let views: Vec<_> = secrets.iter().map(|secret| SecretView::new(&partner, secret, now)).collect();
    stdout.show(&json!({ "webhookSecrets": views }), || table(&partner.name, &views))?;
    Ok(())
}

fn table(partner: &str, views: &[SecretView]) -> String {
    if views.is_empty() {
        return format!(
            "\"{partner}\" has no secrets yet. Issue one with: card-service webhook secret issue --partner …"
        );
    }
    let mut table = Table::new(&["fingerprint", "state", "created", "ends", "revoked", "id"]);
    for view in views {
        table.row([
            view.fingerprint.clone(),
            view.state.to_owned(),
            view.created_at.clone(),
            view.expires_at.clone().unwrap_or_default(),
            view.revoked_at.clone().unwrap_or_default(),
            view.id.clone(),
        ]);
    }
    table.render()
}

async fn revoke(services: &Services, which: &str, yes: bool, stdout: Stdout) -> Result<(), CliFailure> {
    let (partner, revoked) = secret::revoke(services, which, yes).await?;
    let view = SecretView::new(&partner, &revoked, services.clock.now());
    stdout.show(&json!({ "webhookSecret": view }), || {
        let moment = view.revoked_at.as_deref().unwrap_or_default();
        format!("The secret {} of \"{}\" is revoked since {moment}.", view.fingerprint, view.partner)
    })?;
    Ok(())
}
