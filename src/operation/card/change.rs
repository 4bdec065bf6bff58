//! What a checked input does to a card, and how the operator moves a card on.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::base::{HttpUrl, Patch, Timestamp};
use crate::model::{Actor, Card, CardField, EventDraft, PhotoKey, Topic, TransitionError};
use crate::operation::{Failure, Services};
use crate::store::{CardScope, ChangeCardError};

/// A checked input, less the portrait, which has to be fetched first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CardChange {
    pub theme_id: Patch<Uuid>,
    pub external_funeral_director_id: Patch<String>,
    pub first_name: Patch<String>,
    pub last_name: Patch<String>,
    pub date_of_birth: Patch<NaiveDate>,
    pub date_of_death: Patch<NaiveDate>,
    pub livestream_url: Patch<HttpUrl>,
    pub contact_name: Patch<String>,
    pub contact_email: Patch<String>,
}

impl CardChange {
    pub(super) fn apply_to(self, photo: Patch<PhotoKey>, card: &mut Card) {
        self.theme_id.apply_to(&mut card.theme_id);
        self.external_funeral_director_id.apply_to(&mut card.external_funeral_director_id);
        self.first_name.apply_to(&mut card.deceased.first_name);
        self.last_name.apply_to(&mut card.deceased.last_name);
        self.date_of_birth.apply_to(&mut card.deceased.date_of_birth);
        self.date_of_death.apply_to(&mut card.deceased.date_of_death);
        photo.apply_to(&mut card.deceased.photo);
        self.livestream_url.apply_to(&mut card.livestream_url);
        self.contact_name.apply_to(&mut card.family_contact.name);
        self.contact_email.apply_to(&mut card.family_contact.email);
    }
}

/// The event of a change: none when `before` and `after` look the same (decisions W4).
pub(super) fn event_of(id: Uuid, topic: Topic, actor: Actor, before: &Card, after: &Card) -> Vec<EventDraft> {
    match CardField::changed(before, after) {
        fields if fields.is_empty() => Vec::new(),
        changed_fields => vec![EventDraft { id, topic, actor, changed_fields }],
    }
}

/// Why a card did not move on to its next state.
#[derive(Debug, thiserror::Error)]
pub enum CardStateError {
    #[error("there is no card {0}")]
    NotFound(Uuid),
    #[error(transparent)]
    Transition(TransitionError),
    #[error(transparent)]
    Failed(Failure),
}

/// Moves a card on to its next state, with the event of that.
pub(super) async fn advance(
    services: &Services,
    card_id: Uuid,
    topic: Topic,
    actor: Actor,
    step: impl FnOnce(&mut Card, Timestamp) -> Result<(), TransitionError> + Clone + Send + 'static,
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
