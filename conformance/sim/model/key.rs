//! Idempotency keys: one key, one card (specification, section 4.3; decisions, section 4).

use std::collections::BTreeMap;

use card_service::base::{Timestamp, limits};
use card_service::store::IdempotencyOutcome;
use uuid::Uuid;

use super::Model;

/// Partner and text.
pub type KeyName = (Uuid, String);

/// A key under which a card was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    pub made_at: Timestamp,
    pub outcome: Option<IdempotencyOutcome>,
    /// By ordinal: the input as text, and the card that it created.
    pub cards: BTreeMap<i32, (String, Uuid)>,
}

/// The effect of a key on a `cardCreate`, before its input is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It runs.
    Runs,
    /// The card of an earlier attempt.
    Earlier(Uuid),
    /// The key belongs to another request.
    Reused,
}

impl KeyRecord {
    /// Whether another request succeeded under the key.
    pub fn is_of_other(&self, request: [u8; 32]) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.request != request)
    }
}

impl Model {
    /// The record of a key that has not expired.
    pub fn record(&self, name: &KeyName, now: Timestamp) -> Option<&KeyRecord> {
        self.keys.get(name).filter(|record| record.made_at >= now.before(limits::IDEMPOTENCY_REMEMBERED))
    }

    /// Returns the effect of the key on the `cardCreate` at this ordinal.
    pub fn answer(&self, name: &KeyName, request: [u8; 32], ordinal: i32, input: &str, now: Timestamp) -> Answer {
        let Some(record) = self.record(name, now) else { return Answer::Runs };
        if record.is_of_other(request) {
            return Answer::Reused;
        }
        match record.cards.get(&ordinal) {
            None => Answer::Runs,
            Some((same, id)) if same == input => Answer::Earlier(*id),
            Some(_) => Answer::Reused,
        }
    }

    /// Records a new card under a key.
    pub fn record_card(&mut self, name: &KeyName, ordinal: i32, card: (String, Uuid), now: Timestamp) {
        if self.record(name, now).is_none() {
            let record = KeyRecord { made_at: now, outcome: None, cards: BTreeMap::new() };
            self.keys.insert(name.clone(), record);
        }
        self.keys.get_mut(name).expect("it was added").cards.insert(ordinal, card);
    }

    /// Stores the outcome of a request that succeeded as a whole.
    pub fn store_outcome(&mut self, name: &KeyName, outcome: IdempotencyOutcome) {
        if let Some(record) = self.keys.get_mut(name) {
            record.outcome.get_or_insert(outcome);
        }
    }
}
