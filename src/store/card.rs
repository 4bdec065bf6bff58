//! What the operations hand in to create and change cards, and what they get back (decisions, section 4).

use diesel::result::Error as DieselError;
use uuid::Uuid;

use super::{IdempotencyClaim, StoreError};
use crate::base::Timestamp;
use crate::model::{Card, EventDraft, Mail, NewOrder, Scope};

/// A card to be created, in one transaction with its event and with the key that the request holds.
#[derive(Clone, Debug)]
pub struct NewCard {
    /// Its `event_count` is the store's to set. A portrait must have been put before.
    pub card: Card,
    pub event: EventDraft,
    pub claim: Option<IdempotencyClaim>,
}

/// The card of a create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreatedCard {
    /// Created now.
    Fresh(Card),
    /// The card that an earlier attempt of the same request created, as it is now. Nothing was written.
    Bound(Card),
}

/// Why no card was created. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CreateCardError {
    /// `by_test_card`: the card that has the number is a test card.
    #[error("the partner already has a card with this externalDossierId")]
    Taken { by_test_card: bool },
    #[error("the idempotency key belongs to another request")]
    KeyReused,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a change of a card brings about, written in its transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardEffects {
    pub events: Vec<EventDraft>,
    pub order: Option<NewOrder>,
    pub mails: Vec<Mail>,
    /// From when on the card is to be put online by itself.
    pub activation: Option<Timestamp>,
}

impl From<Vec<EventDraft>> for CardEffects {
    fn from(events: Vec<EventDraft>) -> Self {
        Self { events, ..Self::default() }
    }
}

/// Whose card may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardScope {
    /// A card within the scope of a caller; any other is not found.
    Owned { scope: Scope, id: Uuid },
    /// Any card: for the family, the operator and the service itself.
    Any { id: Uuid },
}

/// Why a card did not change. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ChangeCardError<E> {
    /// The caller's own decision.
    #[error("the change was refused")]
    Refused(E),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for CreateCardError {
    fn from(error: DieselError) -> Self {
        CreateCardError::Store(error.into())
    }
}

impl<E> From<DieselError> for ChangeCardError<E> {
    fn from(error: DieselError) -> Self {
        ChangeCardError::Store(error.into())
    }
}
