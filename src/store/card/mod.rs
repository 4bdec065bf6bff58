//! Cards and their events: created, changed and deleted (decisions, section 4).

pub(super) mod row;

use std::fmt::Debug;
use std::sync::Arc;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use uuid::Uuid;

use super::audit::{if_any, if_true};
use super::database::{Database, Unit, query};
use super::error::Outage;
use super::{IdempotencyClaim, KeyReused, Queue, Result, Store, StoreError};
use crate::base::Timestamp;
use crate::model::{Card, CardStatus, Event, EventDraft, Mail, NewOrder, PhotoKey, Scope};

/// How often a create is tried again because the row that it met was deleted meanwhile.
const CREATE_ATTEMPTS: usize = 5;

/// A card to create, in one transaction with its first event and the idempotency key of the request.
#[derive(Clone, Debug)]
pub struct NewCard {
    /// The store sets its `event_count`. Its photo must be stored already.
    pub card: Card,
    pub event: EventDraft,
    pub claim: Option<IdempotencyClaim>,
}

impl NewCard {
    /// Returns the card as it is stored, with its first event.
    pub(super) fn first_event(&self) -> (Card, Event) {
        let card = Card { event_count: 1, ..self.card.clone() };
        let event = self.event.clone().into_event(&card, 1);
        (card, event)
    }
}

/// Why no card was created. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CreateCardError {
    /// `by_test_card`: the existing card is a test card.
    #[error("the partner already has a card with this externalDossierId")]
    Taken { by_test_card: bool },
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the rows of a card were not inserted.
#[derive(Debug, thiserror::Error)]
pub(super) enum InsertCardError {
    #[error("another card has the dossier number or the idempotency key")]
    Conflict,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The rows that a change writes besides the card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardEffects {
    pub events: Vec<EventDraft>,
    pub order: Option<NewOrder>,
    pub mails: Vec<Mail>,
    /// The order mail for an address that was changed: it is added if none waits, and those that wait are sent to that address at once.
    pub mail_again: Option<Mail>,
    /// When the card is due to go online.
    pub activation: Option<Timestamp>,
}

impl From<Vec<EventDraft>> for CardEffects {
    fn from(events: Vec<EventDraft>) -> Self {
        Self { events, ..Self::default() }
    }
}

/// A filter of the operator's list of cards. A part that is `None` selects all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardFilter {
    pub partner_id: Option<Uuid>,
    pub status: Option<CardStatus>,
    pub test: Option<bool>,
    pub created_since: Option<Timestamp>,
    /// Whether the operator took the card offline.
    pub offline: bool,
}

/// The card to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardScope {
    /// A card within the scope of an access key.
    Owned { scope: Scope, id: Uuid },
    /// Any card: for families, the operator and the service.
    Any { id: Uuid },
}

/// Why a card did not change. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ChangeCardError<E> {
    /// The error of `decide`.
    #[error("the change was refused")]
    Refused(E),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The work outside the database that a deletion leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedCard {
    pub partner_id: Uuid,
    /// Its portrait, which no card shows now.
    pub photo: Option<PhotoKey>,
    /// How many invitees were deleted with it.
    pub invitees: usize,
}

impl From<DieselError> for CreateCardError {
    fn from(error: DieselError) -> Self {
        CreateCardError::Store(error.into())
    }
}

impl From<DieselError> for InsertCardError {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => InsertCardError::Conflict,
            error => InsertCardError::Store(error.into()),
        }
    }
}

impl<E> From<DieselError> for ChangeCardError<E> {
    fn from(error: DieselError) -> Self {
        ChangeCardError::Store(error.into())
    }
}

/// The columns that decide whether a card is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardAge {
    pub id: Uuid,
    pub status: CardStatus,
    pub updated_at: Timestamp,
    pub activated_at: Option<Timestamp>,
}

impl Store {
    /// Returns the card with this id within the scope.
    pub async fn card(&self, scope: Scope, id: Uuid) -> Result<Option<Arc<Card>>> {
        query!(self.run_shared(), card(scope, id))
    }

    /// Returns the card with this id, of any partner.
    pub async fn any_card(&self, id: Uuid) -> Result<Option<Arc<Card>>> {
        query!(self.run_shared(), any_card(id))
    }

    /// Returns the card that was activated under this slug, even if it is offline now.
    pub async fn card_by_slug(&self, slug: &str) -> Result<Option<Arc<Card>>> {
        query!(self.run_shared(), card_by_slug(slug))
    }

    /// Returns the card with this dossier number within the scope.
    pub async fn card_by_dossier(&self, scope: Scope, external_dossier_id: &str) -> Result<Option<Arc<Card>>> {
        query!(self.run_shared(), card_by_dossier(scope, external_dossier_id))
    }

    /// Returns the cards with exactly this dossier number, of any partner.
    pub async fn cards_of_dossier(&self, external_dossier_id: &str) -> Result<Vec<Card>> {
        query!(self.read(), cards_of_dossier(external_dossier_id))
    }

    /// Returns at most `count_max` cards of the filter, newest first.
    pub async fn latest_cards(&self, filter: CardFilter, count_max: usize) -> Result<Vec<Card>> {
        query!(self.read(), latest_cards(filter, count_max))
    }

    /// Records since when a card is offline, or that it is online. Returns false if there is no such card.
    pub async fn set_card_offline(&self, id: Uuid, since: Option<Timestamp>) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), set_card_offline(id, since))
    }

    /// Returns the card that an earlier attempt of the request created for the field, of a card that is about to be created.
    ///
    /// # Errors
    /// If the key belongs to another request, or the partner has a card with the dossier number.
    pub async fn earlier_card(
        &self,
        card: &Card,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Option<Arc<Card>>, CreateCardError> {
        query!(self.read(), earlier_card(card, claim))
    }

    /// Returns the test cards of a partner that were created before this time, oldest first.
    pub async fn test_cards(&self, partner_id: Uuid, before: Timestamp) -> Result<Vec<Uuid>> {
        query!(self.read(), test_cards(partner_id, before))
    }

    /// Counts the changes of the contact's address of a card since this time.
    pub async fn contact_email_changes(&self, card_id: Uuid, since: Timestamp) -> Result<usize> {
        query!(self.read(), contact_email_changes(card_id, since))
    }

    /// Returns the events of a card, in sequence.
    pub async fn events_of(&self, card_id: Uuid) -> Result<Vec<Event>> {
        query!(self.read(), events_of(card_id))
    }

    /// Returns the newest events of a card, at most `count_max` and newest first, and the number of all its events.
    pub async fn newest_events(&self, card_id: Uuid, count_max: usize) -> Result<(Vec<Event>, usize)> {
        query!(self.read(), newest_events(card_id, count_max))
    }

    /// Deletes a card with all personal data that depends on it. Returns `None` if there is no such card.
    pub async fn delete_card(&self, id: Uuid, now: Timestamp) -> Result<Option<DeletedCard>> {
        query!(self.write(Unit::Transaction, Option::is_some), delete_card(id, now))
    }

    /// Creates a card with its first event and the deliveries of that, and records it under the idempotency key of the
    /// request. Returns the card of an earlier attempt if the key has one.
    pub async fn create_card(&self, new: NewCard) -> Result<Arc<Card>, CreateCardError> {
        let new = Arc::new(new);
        // A later field looks first: another request may have succeeded under the key since the first field ran.
        let mut is_free = new.claim.as_ref().is_none_or(|claim| claim.ordinal == 0);
        for _ in 0..CREATE_ATTEMPTS {
            if !is_free {
                if let Some(card) = self.earlier_card(&new.card, new.claim.as_ref()).await? {
                    return Ok(card);
                }
                if let Some(claim) = new.claim.clone() {
                    query!(self.write(Unit::Statement, |()| false), delete_expired_key(&claim))?;
                }
            }
            let inserted = match &self.database {
                Database::Sqlite(db) => {
                    db.create_card(&self.context, Arc::clone(&new), Arc::clone(&self.public_base)).await
                }
                Database::Postgres(db) => Box::pin(db.create_card(&self.context, &new, &self.public_base)).await,
            };
            match inserted {
                Ok((card, enqueued)) => {
                    if enqueued {
                        self.notify(Queue::Deliveries);
                    }
                    return Ok(card);
                }
                Err(InsertCardError::Store(error)) => return Err(error.into()),
                Err(InsertCardError::Conflict) => is_free = false,
            }
        }
        Err(StoreError::from(Outage::Contended("an idempotency key")).into())
    }

    /// Changes a card. Every change of an existing card goes through this method or [`Store::change_card_with`].
    ///
    /// `decide` gets the locked card, changes it and returns the events. It must not wait or call the store. If the
    /// card is unchanged, nothing is written and the events are dropped. Otherwise the card, `updated_at`, the events
    /// with their sequence numbers and their deliveries are written together. If `decide` returns an error, nothing is
    /// written. Returns `None` if there is no such card in the scope.
    ///
    /// Changes that `decide` makes to the id, partner, dossier number, test flag and creation time are ignored.
    pub async fn change_card<E, F>(
        &self,
        scope: CardScope,
        now: Timestamp,
        decide: F,
    ) -> Result<Option<Card>, ChangeCardError<E>>
    where
        E: Debug + Send + 'static,
        F: FnOnce(&mut Card) -> Result<Vec<EventDraft>, E> + Send + 'static,
    {
        self.change_card_with(scope, now, |card| decide(card).map(CardEffects::from)).await
    }

    /// Changes a card as [`Store::change_card`] does, with other effects than events in the same transaction.
    pub async fn change_card_with<E, F>(
        &self,
        scope: CardScope,
        now: Timestamp,
        decide: F,
    ) -> Result<Option<Card>, ChangeCardError<E>>
    where
        E: Debug + Send + 'static,
        F: FnOnce(&mut Card) -> Result<CardEffects, E> + Send + 'static,
    {
        let public_base = Arc::clone(&self.public_base);
        let changed =
            query!(self.write(Unit::Transaction, Option::is_some), write_change(scope, now, decide, public_base))?;
        let Some((card, filled)) = changed else { return Ok(None) };
        filled.into_iter().for_each(|queue| self.notify(queue));
        Ok(Some(card))
    }

    /// Returns up to `count_max` cards that were created before a time, with ids greater than `after`, in their order.
    pub async fn card_ages(&self, after: Uuid, created_before: Timestamp, count_max: i64) -> Result<Vec<CardAge>> {
        query!(self.read(), card_ages(after, created_before, count_max))
    }

    /// Counts the events before a time.
    pub async fn events_before(&self, before: Timestamp) -> Result<i64> {
        query!(self.read(), events_before(before))
    }

    /// Deletes up to `at_most` of the oldest events before a time, and counts them.
    pub async fn delete_events_before(&self, before: Timestamp, at_most: i64) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_events_before(before, at_most))
    }
}
