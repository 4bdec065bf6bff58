//! `card find|show|order|activate|delete|purge-test|export`: the operator's hand.

mod delete;
mod export;

use serde_json::json;
use uuid::Uuid;

use super::definition::CardCommand;
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::table::Table;
use super::view::{CardFacts, CardView};
use crate::base::{GlobalId, Kind};
use crate::model::{Actor, Card};
use crate::operation::card::{self, CardStateError, OrderError};
use crate::operation::{Failure, Services};

pub(super) async fn run(services: &Services, command: CardCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        CardCommand::Find { what } => find(services, &what, stdout).await,
        CardCommand::Order { gid } => {
            let id = id_of(&gid)?;
            let ordered = card::order(services, id, Actor::Operator).await.map_err(|error| match error {
                OrderError::NotFound => CliFailure::NoCard(gid),
                other => other.into(),
            })?;
            shown(services, ordered, stdout).await
        }
        CardCommand::Activate { gid } => {
            let id = id_of(&gid)?;
            shown(services, card::activate(services, id, Actor::Operator).await.map_err(named(gid))?, stdout).await
        }
        CardCommand::Show { gid } => shown(services, find_one(services, &gid).await?, stdout).await,
        CardCommand::Delete { gid, yes } => delete::one(services, gid, yes, stdout).await,
        CardCommand::PurgeTest { partner, before, yes } => {
            delete::test_cards(services, &partner, before, yes, stdout).await
        }
        CardCommand::Export { gid, folder } => export::run(services, gid, &folder, stdout).await,
    }
}

fn id_of(gid: &str) -> Result<Uuid, CliFailure> {
    GlobalId::uuid_of(gid, Kind::Card).ok_or_else(|| CliFailure::NoCardId(gid.to_owned()))
}

/// The card with this global id.
pub(super) async fn find_one(services: &Services, gid: &str) -> Result<Card, CliFailure> {
    let found = services.store.any_card(id_of(gid)?).await.map_err(Failure::from)?;
    found.ok_or_else(|| CliFailure::NoCard(gid.to_owned()))
}

/// Why a card did not move on, in the words of who named it.
fn named(gid: String) -> impl FnOnce(CardStateError) -> CliFailure {
    |error| match error {
        CardStateError::NotFound(_) => CliFailure::NoCard(gid),
        other => other.into(),
    }
}

async fn shown(services: &Services, card: Card, stdout: Stdout) -> Result<(), CliFailure> {
    let view = view(services, &card).await?;
    stdout.show(&json!({ "card": view }), || text(&view))?;
    Ok(())
}

async fn find(services: &Services, what: &str, stdout: Stdout) -> Result<(), CliFailure> {
    let mut views = Vec::new();
    for card in card::find(services, what).await? {
        views.push(view(services, &card).await?);
    }
    stdout.show(&json!({ "cards": views }), || {
        if views.is_empty() {
            return format!("No card is known by \"{what}\".");
        }
        let mut table = Table::new(&["partner", "dossier", "kind", "status", "created", "id"]);
        for view in &views {
            table.row([
                view.partner.clone(),
                view.external_dossier_id.clone(),
                if view.test { "test" } else { "live" }.to_owned(),
                view.status.to_owned(),
                view.created_at.clone(),
                view.id.clone(),
            ]);
        }
        table.render()
    })?;
    Ok(())
}

async fn view(services: &Services, card: &Card) -> Result<CardView, Failure> {
    let store = &services.store;
    let partner = store.partner(card.partner_id).await?.map_or_else(|| card.partner_id.to_string(), |p| p.name);
    let theme = match card.theme_id {
        Some(id) => store.theme(id).await?.map(|theme| theme.handle),
        None => None,
    };
    let events = store.events_of(card.id).await?;
    Ok(CardFacts { card, partner, theme, events: &events, public_base: &services.public_base }.into())
}

fn text(view: &CardView) -> String {
    let mut text = String::new();
    let kind = if view.test { "test card" } else { "live card" };
    for (name, value) in [
        ("Card", view.id.as_str()),
        ("Partner", &view.partner),
        ("Dossier", &view.external_dossier_id),
        ("Kind", kind),
        ("Status", view.status),
        ("Theme", view.theme.as_deref().unwrap_or("-")),
        ("Address", view.card_url.as_deref().unwrap_or("-")),
        ("Created", &view.created_at),
        ("Changed", &view.updated_at),
    ] {
        text.push_str(&format!("{name:<8}  {value}\n"));
    }
    let mut events = Table::new(&["event", "topic", "actor", "moment", "fields"]);
    for event in &view.events {
        events.row([
            event.sequence.to_string(),
            event.topic.to_owned(),
            event.actor.to_owned(),
            event.occurred_at.clone(),
            event.changed_fields.join(", "),
        ]);
    }
    text + "\n" + &events.render()
}
