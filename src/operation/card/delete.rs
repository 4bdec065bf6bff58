//! The operator deletes a card, with everything personal that hangs on it (specification, section 1).
//!
//! Called by the commands of the operator. The database comes first, in one transaction; the portrait goes from the object
//! store right after. Should the process end in between, the sweep takes it.

use uuid::Uuid;

use super::CardStateError;
use crate::base::Moment;
use crate::model::Partner;
use crate::operation::{Failure, Services, photo};
use crate::store::DeletedCard;

/// Deletes a card.
pub async fn delete(services: &Services, card_id: Uuid) -> Result<DeletedCard, CardStateError> {
    let failed = |failure: Failure| CardStateError::Failed(failure);
    let deleted = services.store.delete_card(card_id, services.clock.now()).await.map_err(|e| failed(e.into()))?;
    let deleted = deleted.ok_or(CardStateError::NotFound(card_id))?;
    if let Some(key) = &deleted.photo
        && services.store.delete_photo(key).await.map_err(|e| failed(e.into()))?
    {
        photo::remove(services, key).await.map_err(failed)?;
    }
    Ok(deleted)
}

/// The test cards of a partner that were made before a moment.
pub async fn test_cards(services: &Services, partner: &Partner, before: Moment) -> Result<Vec<Uuid>, Failure> {
    Ok(services.store.test_cards(partner.id, before).await?)
}
