//! The operator takes a card offline for a time, and puts it online again. Its status and its API are as they were.

use uuid::Uuid;

use super::CardStateError;
use crate::base::Timestamp;
use crate::model::{Card, CardStatus};
use crate::operation::{Failure, photo};
use crate::services::Services;

/// Takes a card offline: its pages say so, its mails wait, and the pictures that its page showed are deleted. If the object
/// store fails, the card is offline and the call can be repeated.
pub async fn take_offline(services: &Services, card_id: Uuid) -> Result<Card, CardStateError> {
    let mut card = active(services, card_id).await?;
    if card.offline_since.is_none() {
        set_offline_since(services, &mut card, Some(services.clock.now())).await?;
    }
    if let Some(key) = &card.deceased.photo {
        photo::delete_renditions(services, key).await.map_err(CardStateError::Failed)?;
    }
    Ok(card)
}

/// Puts a card online again. A worker makes its pictures within seconds.
pub async fn put_online(services: &Services, card_id: Uuid) -> Result<Card, CardStateError> {
    let mut card = active(services, card_id).await?;
    if card.offline_since.is_some() {
        set_offline_since(services, &mut card, None).await?;
        if let Some(key) = &card.deceased.photo {
            photo::restore_renditions(services, key).await.map_err(CardStateError::Failed)?;
        }
    }
    Ok(card)
}

async fn set_offline_since(
    services: &Services,
    card: &mut Card,
    since: Option<Timestamp>,
) -> Result<(), CardStateError> {
    match services.store.set_card_offline(card.id, since).await {
        Ok(true) => card.offline_since = since,
        Ok(false) => return Err(CardStateError::NotFound(card.id)),
        Err(error) => return Err(CardStateError::Failed(error.into())),
    }
    Ok(())
}

/// The card, if it is one that is or was online.
async fn active(services: &Services, card_id: Uuid) -> Result<Card, CardStateError> {
    let card = services.store.any_card(card_id).await.map_err(|error| CardStateError::Failed(Failure::from(error)))?;
    let card = card.ok_or(CardStateError::NotFound(card_id))?;
    if card.status == CardStatus::Active { Ok(card) } else { Err(CardStateError::NeverOnline) }
}
