//! A card changes to its next status, goes offline or comes online again.

use std::sync::Arc;

use uuid::Uuid;

use crate::base::Timestamp;
use crate::model::{Actor, Card, CardStatus, EventDraft, Topic, TransitionError};
use crate::operation::{Failure, photo};
use crate::services::Services;
use crate::store::{CardScope, ChangeCardError, Queue};

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
        Ok(EventDraft::of_change(event_id, topic, actor, &before, card))
    };
    match services.store.change_card(CardScope::Any { id: card_id }, now, decide).await {
        Ok(card) => card.ok_or(CardStateError::NotFound(card_id)),
        Err(ChangeCardError::Refused(error)) => Err(CardStateError::Transition(error)),
        Err(ChangeCardError::Store(error)) => Err(CardStateError::Failed(error.into())),
    }
}

/// Activates a card under an unguessable URL: ORDERED becomes ACTIVE (specification, section 3).
pub async fn activate(services: &Services, card_id: Uuid, actor: Actor) -> Result<Card, CardStateError> {
    let slug = services.entropy.unguessable();
    let step = move |card: &mut Card, now| card.activate(slug, now);
    let card = advance(services, card_id, Topic::CardsActivated, actor, step).await?;
    services.store.notify(Queue::Mails); // its mails wait for it
    Ok(card)
}

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
    if card.status == CardStatus::Active { Ok(Arc::unwrap_or_clone(card)) } else { Err(CardStateError::NeverOnline) }
}
