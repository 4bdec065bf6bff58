//! The operator takes a card offline for a time, and puts it online again. Its status and its API are as they were.

use uuid::Uuid;

use super::CardStateError;
use crate::model::{Card, CardStatus};
use crate::operation::{Failure, photo};
use crate::services::Services;

/// Takes a card offline: its pages say so, its mails wait, and the pictures that its page showed are deleted. If the object
/// store fails, the card is offline and the call can be repeated.
pub async fn take_offline(services: &Services, card_id: Uuid) -> Result<Card, CardStateError> {
    let card = active(services, card_id).await?;
    if card.offline_since.is_none() {
        set(services, card_id, true).await?;
    }
    if let Some(key) = &card.deceased.photo {
        photo::delete_renditions(services, key).await.map_err(CardStateError::Failed)?;
    }
    active(services, card_id).await
}

/// Puts a card online again. A worker makes its pictures within seconds.
pub async fn put_online(services: &Services, card_id: Uuid) -> Result<Card, CardStateError> {
    let card = active(services, card_id).await?;
    if card.offline_since.is_some() {
        set(services, card_id, false).await?;
        if let Some(key) = &card.deceased.photo {
            photo::restore_renditions(services, key).await.map_err(CardStateError::Failed)?;
        }
    }
    active(services, card_id).await
}

async fn set(services: &Services, card_id: Uuid, offline: bool) -> Result<(), CardStateError> {
    let since = offline.then(|| services.clock.now());
    match services.store.set_card_offline(card_id, since).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(CardStateError::NotFound(card_id)),
        Err(error) => Err(CardStateError::Failed(error.into())),
    }
}

/// The card, if it is one that is or was online.
async fn active(services: &Services, card_id: Uuid) -> Result<Card, CardStateError> {
    let card = services.store.any_card(card_id).await.map_err(|error| CardStateError::Failed(Failure::from(error)))?;
    let card = card.ok_or(CardStateError::NotFound(card_id))?;
    if card.status == CardStatus::Active { Ok(card) } else { Err(CardStateError::NeverOnline) }
}
