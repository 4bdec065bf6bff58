//! `card order`, `card activate`, `card show`: the operator's hand.

use serde_json::json;

use super::definition::CardCommand;
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::table::Table;
use super::view::{CardFacts, CardView};
use crate::base::{GlobalId, Kind};
use crate::model::{Actor, Card};
use crate::operation::card::{self, CardStateError};
use crate::operation::{Failure, Services};

pub(super) async fn run(services: &Services, command: CardCommand, stdout: Stdout) -> Result<(), CliFailure> {
    let (CardCommand::Order { gid } | CardCommand::Activate { gid } | CardCommand::Show { gid }) = &command;
    let gid = gid.clone();
    let id = GlobalId::uuid_of(&gid, Kind::Card).ok_or_else(|| CliFailure::NoCardId(gid.clone()))?;
    let done = match command {
        CardCommand::Order { .. } => card::order(services, id, Actor::Operator).await,
        CardCommand::Activate { .. } => card::activate(services, id, Actor::Operator).await,
        CardCommand::Show { .. } => {
            let found = services.store.any_card(id).await.map_err(Failure::from)?;
            found.ok_or(CardStateError::NotFound(id))
        }
    };
    let card = done.map_err(|error| match error {
        CardStateError::NotFound(_) => CliFailure::NoCard(gid),
        other => other.into(),
    })?;
    let view = view(services, &card).await?;
    stdout.show(&json!({ "card": view }), || text(&view))?;
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
