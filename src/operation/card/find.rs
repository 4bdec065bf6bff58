//! The operator finds a card by its numbers or addresses, never by a name.

use uuid::Uuid;

use crate::base::{GlobalId, Kind};
use crate::model::Card;
use crate::operation::{Failure, Services};

/// The cards that `what` names: a global id or bare uuid, a dossier number (of any partner), an order number, or the URL of
/// a public card.
pub async fn find(services: &Services, what: &str) -> Result<Vec<Card>, Failure> {
    let (what, store) = (what.trim(), &services.store);
    let id = GlobalId::uuid_of(what, Kind::Card).or_else(|| Uuid::try_parse(what).ok());
    let id = match id {
        Some(id) => Some(id),
        None => store.card_of_order(&what.to_uppercase()).await?,
    };
    let mut found = store.cards_of_dossier(what).await?;
    if let Some(id) = id {
        found.extend(store.any_card(id).await?);
    }
    if let Some((_, slug)) = what.rsplit_once("/kaart/") {
        found.extend(store.card_by_slug(slug).await?);
    }
    Ok(found)
}
