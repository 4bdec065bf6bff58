//! Idempotency keys: they bind a repeated request to its first attempt (specification, section 4.3; decisions, section
//! 4).

use uuid::Uuid;

use super::engine::{Engine, meet_faults, store_methods};
use super::{CreateCardError, Store, StoreError};
use crate::base::Timestamp;
use crate::model::{Card, KeyMode};

/// An idempotency key. It belongs to a partner and a mode, so that a live request is never answered with a test card.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdempotencyKey {
    pub partner_id: Uuid,
    pub mode: KeyMode,
    /// As the client sent it.
    pub text: String,
}

/// The claim of a `cardCreate` field on an idempotency key.
#[derive(Clone, Debug)]
pub struct IdempotencyClaim {
    pub key: IdempotencyKey,
    /// Which `cardCreate` field of the request this is, counted from 0.
    pub ordinal: i32,
    /// SHA-256 of the request.
    pub fingerprint: [u8; 32],
    /// SHA-256 of the input of the field.
    pub input: [u8; 32],
    /// A record that was made before this time has expired, and is replaced.
    pub not_before: Timestamp,
}

/// A key under which a card was created, and the stored response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// Of the bound request, or of the first request that created a card while none is bound.
    pub fingerprint: [u8; 32],
    /// Whether a request succeeded as a whole. No other request can use the key then.
    pub bound: bool,
    /// `None` while the request runs, and if the process ended before it was stored. Without what is shown once.
    pub response: Option<String>,
    pub created_at: Timestamp,
}

store_methods! {
    /// Returns the record of a key that was claimed at `not_before` or later.
    pub lookup idempotency_record(key: &IdempotencyKey, not_before: Timestamp)
        -> Result<Option<IdempotencyRecord>, StoreError>;
    /// Returns the card that an earlier attempt of the same request created: what [`Store::create_card`] returns as
    /// [`CreatedCard::Earlier`](super::CreatedCard::Earlier).
    pub read recorded_card(claim: &IdempotencyClaim) -> Result<Option<Card>, CreateCardError>;
    transaction delete_idempotency_batch(before: Timestamp) -> Result<usize, StoreError>;
}

impl Store {
    /// Binds the key to a request that succeeded as a whole, and stores its response. A key that has a response, or
    /// that another request is bound to, is not changed.
    pub async fn bind_request(
        &self,
        key: IdempotencyKey,
        fingerprint: [u8; 32],
        response: String,
    ) -> Result<(), StoreError> {
        meet_faults!(
            self,
            match &self.engine {
                Engine::Postgres(db) => db.bind_request(key, fingerprint, response).await,
                Engine::Sqlite(_) => store_methods!(@write self bind_request(key, fingerprint, response)),
            }
        )
    }

    /// Deletes the idempotency records that were made before `before`, in batches, and counts them.
    pub async fn delete_expired_idempotency(&self, before: Timestamp) -> Result<usize, StoreError> {
        let mut count = 0;
        loop {
            match self.delete_idempotency_batch(before).await? {
                0 => return Ok(count),
                some => count += some,
            }
        }
    }
}
