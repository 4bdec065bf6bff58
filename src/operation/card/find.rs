//! Finds a card by the numbers and URLs that people know, never by a name.

use uuid::Uuid;

use crate::base::{GlobalId, Kind, limits};
use crate::model::{Card, path};
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
        found.extend(store.any_card(id).await?);
    }
    if let Some(slug) = path::slug_of_card(what) {
        found.extend(store.card_by_slug(slug).await?);
    }
    Ok(found)
}

/// The card with this dossier number, if the caller can reach it (version 2027-01).
pub async fn find_by_dossier(
    services: &Services,
    caller: &Caller,
    external_dossier_id: &str,
) -> Result<Option<Card>, Failure> {
    // No card has a number that could not be created; PostgreSQL fails on U+0000.
    let chars = external_dossier_id.chars().count();
    if external_dossier_id.contains('\0') || chars > limits::EXTERNAL_DOSSIER_ID_CHARS_MAX {
        return Ok(None);
    }
    Ok(services.store.card_by_dossier(caller.scope(), external_dossier_id).await?)
}
