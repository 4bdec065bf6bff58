//! The event of a change, and the transition of a card to its next status.

use uuid::Uuid;

use crate::base::Timestamp;
use crate::model::{Actor, Card, EventDraft, Topic, TransitionError};
use crate::operation::Failure;
use crate::services::Services;
use crate::store::{CardScope, ChangeCardError};

/// Returns the event of a change, or none if no field of the schema changed (decisions W4).
pub(super) fn event_of(id: Uuid, topic: Topic, actor: Actor, before: &Card, after: &Card) -> Vec<EventDraft> {
    match after.changed_fields(before) {
        fields if fields.is_empty() => Vec::new(),
        changed_fields => vec![EventDraft { id, topic, actor, changed_fields }],
    }
}

/// Why the status of a card did not change.
#[derive(Debug, thiserror::Error)]
pub enum CardStateError {
    #[error("there is no card {0}")]
    NotFound(Uuid),
    #[error("the card was never online: it is not ACTIVE")]
    NeverOnline,
    #[error(transparent)]
    Transition(TransitionError),
    #[error(transparent)]
    Failed(Failure),
}

/// Changes the status of a card with `step`, and adds the event.
async fn advance(
    services: &Services,
    card_id: Uuid,
    topic: Topic,
    actor: Actor,
    step: impl FnOnce(&mut Card, Timestamp) -> Result<(), TransitionError> + Send + 'static,
) -> Result<Card, CardStateError> {
    let now: Timestamp = services.clock.now();
    let event_id = services.entropy.uuid(now);
    let decide = move |card: &mut Card| {
        let before = card.clone();
        step(card, now)?;
        Ok(event_of(event_id, topic, actor, &before, card))
    };
    match services.store.change_card(CardScope::Any { id: card_id }, now, decide).await {
        Ok(card) => card.ok_or(CardStateError::NotFound(card_id)),
        Err(ChangeCardError::Refused(error)) => Err(CardStateError::Transition(error)),
        Err(ChangeCardError::Store(error)) => Err(CardStateError::Failed(error.into())),
    }
}

/// Activates a card under an unguessable URL: ORDERED becomes ACTIVE (specification, section 3; decisions S9).
pub async fn activate(services: &Services, card_id: Uuid, actor: Actor) -> Result<Card, CardStateError> {
    let slug = services.entropy.unguessable();
    advance(services, card_id, Topic::CardsActivated, actor, move |card, now| card.activate(slug, now)).await
}
