//! The operator deletes a card with all its personal data (specification, section 1).
//!
//! The rows are deleted first, in one transaction, and the portrait right after. If that fails, housekeeping deletes it.

use uuid::Uuid;

use super::CardStateError;
use crate::base::{ErrorChain, Timestamp};
use crate::model::Partner;
use crate::operation::{Failure, photo};
use crate::services::Services;
use crate::store::DeletedCard;

/// A deleted card.
#[derive(Debug)]
pub struct Deletion {
    pub card: DeletedCard,
    /// The portrait is still in the object store, which does not respond; housekeeping deletes it.
    pub photo_waits: bool,
}

/// Deletes a card.
pub async fn delete(services: &Services, card_id: Uuid) -> Result<Deletion, CardStateError> {
    let deleted = services.store.delete_card(card_id, services.clock.now()).await;
    let deleted = deleted.map_err(|error| CardStateError::Failed(error.into()))?;
    let card = deleted.ok_or(CardStateError::NotFound(card_id))?;
    let mut photo_waits = false;
    if let Some(key) = &card.photo
        && let Err(failure) = photo::delete_unused(services, key).await
    {
        tracing::warn!(%card_id, error = %ErrorChain(&failure), "the photo of a deleted card could not be deleted; the retention worker will delete it");
        photo_waits = true;
    }
    Ok(Deletion { card, photo_waits })
}

/// The test cards of a partner that were created before a time.
pub async fn test_cards(services: &Services, partner: &Partner, before: Timestamp) -> Result<Vec<Uuid>, Failure> {
    Ok(services.store.test_cards(partner.id, before).await?)
}
