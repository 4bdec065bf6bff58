//! `key issue`, `key revoke`, `key list`.

use std::time::Duration;

use serde_json::json;

use super::definition::{KeyCommand, KeyIssue};
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::table::Table;
use super::view::KeyView;
use crate::base::Timestamp;
use crate::model::AccessKey;
use crate::operation::key::{KeyOrder, Rotated};
use crate::operation::{Services, key, partner};

pub(super) async fn run(services: &Services, command: KeyCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        KeyCommand::Issue(order) => issue(services, order, stdout).await,
        KeyCommand::Rotate { key, overlap } => rotate(services, &key, overlap, stdout).await,
        KeyCommand::Revoke { key } => revoke(services, &key, stdout).await,
        KeyCommand::List { partner } => list(services, &partner, stdout).await,
    }
}

async fn issue(services: &Services, order: KeyIssue, stdout: Stdout) -> Result<(), CliFailure> {
    let partner = partner::find(services, &order.partner).await?;
    let order = KeyOrder { mode: order.mode.into(), label: order.label, valid_days: order.expires_days };
    let (issued, token) = key::issue(services, &partner, order).await?;
    let view = KeyView::new(&partner, &issued);
    stdout.show(&json!({ "key": view, "token": token.reveal() }), || {
        let end = view.expires_at.as_ref().map_or(String::new(), |moment| format!(", valid until {moment}"));
        format!(
            "{}\n\nThis is the token of a {} key of \"{}\" (id {}{end}).\nIt is shown this once. Keep it safe: the \
             service itself does not have it.",
            token.reveal(),
            view.mode,
            view.partner,
            view.id
        )
    })?;
    Ok(())
}

async fn rotate(services: &Services, which: &str, overlap: Duration, stdout: Stdout) -> Result<(), CliFailure> {
    let Rotated { partner, key, token, old } = key::rotate(services, which, overlap).await?;
    let (view, previous) = (KeyView::new(&partner, &key), KeyView::new(&partner, &old));
    stdout.show(&json!({ "key": view, "token": token.reveal(), "previous": previous }), || {
        format!(
            "{}\n\nThis is the token of a {} key of \"{}\" (id {}).\nIt is shown this once. Keep it safe: the service \
             itself does not have it.\nThe old key …{} works beside it until {}.",
            token.reveal(),
            view.mode,
            view.partner,
            view.id,
            previous.last_four,
            previous.expires_at.as_deref().unwrap_or_default()
        )
    })?;
    Ok(())
}

async fn revoke(services: &Services, which: &str, stdout: Stdout) -> Result<(), CliFailure> {
    let (partner, revoked) = key::revoke(services, which).await?;
    let view = KeyView::new(&partner, &revoked);
    stdout.show(&json!({ "key": view }), || {
        let moment = view.revoked_at.as_deref().unwrap_or_default();
        format!("The {} key …{} of \"{}\" is revoked since {moment}.", view.mode, view.last_four, view.partner)
    })?;
    Ok(())
}

async fn list(services: &Services, name: &str, stdout: Stdout) -> Result<(), CliFailure> {
    let partner = partner::find(services, name).await?;
    let keys = key::list(services, &partner).await?;
    let views: Vec<_> = keys.iter().map(|key| KeyView::new(&partner, key)).collect();
    stdout.show(&json!({ "keys": views }), || table(&partner.name, &keys, &views, services.clock.now()))?;
    Ok(())
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
