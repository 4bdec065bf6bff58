//! The card is ordered: DRAFT becomes ORDERED (specification, section 3).

use uuid::Uuid;

use super::CardStateError;
use super::change::advance;
use crate::model::{Actor, Card, Topic};
use crate::operation::Services;

/// Orders a card by the operator's hand; all it needs is a card in DRAFT.
pub async fn order(services: &Services, card_id: Uuid, actor: Actor) -> Result<Card, CardStateError> {
    advance(services, card_id, Topic::CardsOrdered, actor, Card::order).await
}
