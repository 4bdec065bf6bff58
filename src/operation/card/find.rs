//! Finds a card by the numbers and URLs that people know, never by a name.

use std::sync::Arc;

use bytes::Bytes;
use uuid::Uuid;

use super::CardStateError;
use crate::base::{GlobalId, Kind, limits};
use crate::model::{Card, Event, InvitationNote, Invitee, Mail, Order, Partner, Theme, path};
use crate::operation::{Caller, Failure};
use crate::services::Services;

/// The cards that `what` names, for the operator: a global id or bare uuid, a dossier number (of any partner), an order
/// number, or the URL of a public card.
pub async fn find(services: &Services, what: &str) -> Result<Vec<Card>, Failure> {
    let (what, store) = (what.trim(), &services.store);
    if what.contains('\0') {
        return Ok(Vec::new()); // PostgreSQL fails on U+0000
    }
    let id = GlobalId::uuid_of(what, Kind::Card).or_else(|| Uuid::try_parse(what).ok());
    let id = match id {
        Some(id) => Some(id),
        None => store.card_of_order(&what.to_uppercase()).await?,
    };
    let mut found = store.cards_of_dossier(what).await?;
    if let Some(id) = id {
        found.extend(store.any_card(id).await?.map(Arc::unwrap_or_clone));
    }
    if let Some(slug) = path::slug_of_card(what) {
        found.extend(store.card_by_slug(slug).await?.map(Arc::unwrap_or_clone));
    }
    Ok(found)
}

/// The card with this dossier number, if the caller can reach it (version 2027-01).
pub async fn find_by_dossier(
    services: &Services,
    caller: &Caller,
    external_dossier_id: &str,
) -> Result<Option<Arc<Card>>, Failure> {
    // No card has a number that could not be created; PostgreSQL fails on U+0000.
    let chars = external_dossier_id.chars().count();
    if external_dossier_id.contains('\0') || chars > limits::EXTERNAL_DOSSIER_ID_CHARS_MAX {
        return Ok(None);
    }
    Ok(services.store.card_by_dossier(caller.scope(), external_dossier_id).await?)
}

/// The stored data of a card.
pub struct CardExport {
    pub card: Arc<Card>,
    pub partner: Partner,
    pub theme: Option<Arc<Theme>>,
    pub order: Option<Order>,
    pub events: Vec<Event>,
    pub mails: Vec<Mail>,
    pub invitees: Vec<Invitee>,
    /// The family's note in the invitations.
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
    let theme = store.theme_of(&card).await?;
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
