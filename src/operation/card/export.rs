//! Exports everything that is stored about a card, for the people it is about.

use bytes::Bytes;
use uuid::Uuid;

use super::CardStateError;
use crate::model::{Card, Event, InvitationNote, Invitee, Mail, Order, Partner, Theme};
use crate::operation::Failure;
use crate::services::Services;

/// The stored data of a card.
pub struct CardExport {
    pub card: Card,
    pub partner: Partner,
    pub theme: Option<Theme>,
    pub order: Option<Order>,
    pub events: Vec<Event>,
    pub mails: Vec<Mail>,
    pub invitees: Vec<Invitee>,
    /// What the family writes in its invitations.
    pub note: Option<InvitationNote>,
    /// The portrait, byte for byte; `None` also if the object store has lost it.
    pub portrait: Option<Bytes>,
}

/// Reads everything about a card, and writes an audit record of the export.
pub async fn export(services: &Services, card_id: Uuid) -> Result<CardExport, CardStateError> {
    read(services, card_id).await.map_err(CardStateError::Failed)?.ok_or(CardStateError::NotFound(card_id))
}

async fn read(services: &Services, card_id: Uuid) -> Result<Option<CardExport>, Failure> {
    let store = &services.store;
    let Some(card) = store.any_card(card_id).await? else { return Ok(None) };
    let Some(partner) = store.partner(card.partner_id).await? else { return Ok(None) };
    let theme = match card.theme_id {
        Some(id) => store.theme(id).await?,
        None => None,
    };
    let portrait = match &card.deceased.photo {
        Some(key) => services.media.get(&format!("photo/{}", key.as_str())).await?,
        None => None,
    };
    let exported = CardExport {
        order: store.order_of(card_id).await?,
        events: store.events_of(card_id).await?,
        mails: store.mails_of(card_id).await?,
        invitees: store.invitees_of(card_id).await?,
        note: store.invitation_note(card_id).await?,
        card,
        partner,
        theme,
        portrait,
    };
    store.record_command().await?;
    Ok(Some(exported))
}
