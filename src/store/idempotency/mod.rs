//! Idempotency keys: they bind a repeated request to its first attempt (specification, section 4.3; decisions, section 4).

use diesel::prelude::*;
use uuid::Uuid;

use super::audit::{always, if_any};
use super::engine::{Engine, commit, lookup, meet_faults, read};
use super::schema::{idempotency_cards, idempotency_keys};
use super::sql_type::{At, Digest, Id, Name};
use super::{CreateCardError, Result, Store};
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

impl Store {
    /// Returns the record of a key that was claimed at `not_before` or later.
    pub async fn idempotency_record(
        &self,
        key: &IdempotencyKey,
        not_before: Timestamp,
    ) -> Result<Option<IdempotencyRecord>> {
        lookup!(self, idempotency_record(key, not_before))
    }

    /// Returns the card that an earlier attempt of the same request created: what [`Store::create_card`] returns as
    /// [`CreatedCard::Earlier`](super::CreatedCard::Earlier).
    pub async fn recorded_card(&self, claim: &IdempotencyClaim) -> Result<Option<Card>, CreateCardError> {
        read!(self, recorded_card(claim))
    }

    async fn delete_idempotency_batch(&self, before: Timestamp) -> Result<usize> {
        commit!(self, Transaction, if_any, delete_idempotency_batch(before))
    }

    /// Binds the key to a request that succeeded as a whole, and stores its response. A key that has a response, or
    /// that another request is bound to, is not changed.
    pub async fn bind_request(&self, key: IdempotencyKey, fingerprint: [u8; 32], response: String) -> Result<()> {
        match &self.engine {
            Engine::Postgres(db) => meet_faults!(self, db.bind_request(key, fingerprint, response).await),
            Engine::Sqlite(_) => commit!(self, Statement, always, bind_request(key, fingerprint, response)),
        }
    }

    /// Deletes the idempotency records that were made before `before`, in batches, and counts them.
    pub async fn delete_expired_idempotency(&self, before: Timestamp) -> Result<usize> {
        let mut count = 0;
        loop {
            match self.delete_idempotency_batch(before).await? {
                0 => return Ok(count),
                some => count += some,
            }
        }
    }
}

/// A new claim. It is bound to a request, and gets its response, later.
#[derive(Debug, Insertable)]
#[diesel(table_name = idempotency_keys, treat_none_as_default_value = false)]
pub(super) struct ClaimRow<'a> {
    partner_id: Id,
    mode: Name<KeyMode>,
    key: &'a str,
    fingerprint: Digest,
    bound: bool,
    created_at: At,
}

impl<'a> ClaimRow<'a> {
    pub(super) fn new(card: &Card, claim: &'a IdempotencyClaim) -> Self {
        ClaimRow {
            partner_id: Id(claim.key.partner_id),
            mode: Name(claim.key.mode),
            key: &claim.key.text,
            fingerprint: Digest(claim.fingerprint),
            bound: false,
            created_at: At(card.created_at),
        }
    }
}

/// A card that was created under an idempotency key.
#[derive(Debug, Insertable)]
#[diesel(table_name = idempotency_cards, treat_none_as_default_value = false)]
pub(super) struct RecordedCardRow<'a> {
    partner_id: Id,
    mode: Name<KeyMode>,
    key: &'a str,
    ordinal: i32,
    card_id: Id,
    input: Digest,
}

impl<'a> RecordedCardRow<'a> {
    pub(super) fn new(card: &Card, claim: &'a IdempotencyClaim) -> Self {
        RecordedCardRow {
            partner_id: Id(claim.key.partner_id),
            mode: Name(claim.key.mode),
            key: &claim.key.text,
            ordinal: claim.ordinal,
            card_id: Id(card.id),
            input: Digest(claim.input),
        }
    }
}
