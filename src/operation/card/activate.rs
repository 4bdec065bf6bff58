//! A card is activated: ORDERED becomes ACTIVE (specification, section 3; decisions S9).

use uuid::Uuid;

use super::CardStateError;
use super::change::advance;
use crate::model::{Actor, Card, Topic};
use crate::operation::Services;

/// Activates a card under an unguessable URL.
pub async fn activate(services: &Services, card_id: Uuid, actor: Actor) -> Result<Card, CardStateError> {
    let slug = services.entropy.unguessable();
    advance(services, card_id, Topic::CardsActivated, actor, move |card, now| card.activate(slug, now)).await
}
