//! Idempotency keys: their claims and outcomes (specification, section 4.3; decisions, section 4). `http/idempotency.rs` explains
//! them.

use std::sync::Arc;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::audit::{always, if_any};
use super::engine::{Engine, commit, lookup, meet_faults, read, share};
use super::insert::insertable;
use super::schema::idempotency_keys;
use super::sql_type::{At, Digest, Id, Name};
use super::{CreateCardError, Result, Store};
use crate::base::{Timestamp, limits};
use crate::model::{Card, KeyMode};

/// An idempotency key. It belongs to a partner and a mode, so that a live request is never answered with a test card.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdempotencyKey {
    pub partner_id: Uuid,
    pub mode: KeyMode,
    /// As the client sent it.
    pub text: String,
}

/// The claim of a request on its key, or of one of its `cardCreate` fields.
#[derive(Clone, Debug)]
pub struct IdempotencyClaim {
    pub key: IdempotencyKey,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// When the first attempt of the request made its claim.
    pub made_at: Timestamp,
    /// Whether an earlier attempt of the request created a card.
    pub is_repeated: bool,
    /// The position of the `cardCreate` field in the request, from 0.
    pub ordinal: i32,
    /// SHA-256 of the input of the field.
    pub input: [u8; 32],
}

/// The outcome of a request that succeeded as a whole. No other request can use its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyOutcome {
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// Its response, without links and secrets that are shown once.
    pub response: String,
}

impl IdempotencyClaim {
    /// Returns the claim of a request; the operation sets `ordinal` and `input` for each card.
    pub fn new(key: IdempotencyKey, request: [u8; 32], made_at: Timestamp) -> Self {
        Self { key, request, made_at, is_repeated: false, ordinal: 0, input: [0; 32] }
    }

    /// Takes the time of an earlier claim on the key, so that all its rows expire at once.
    pub fn repeat(&mut self, made_at: Timestamp) {
        (self.made_at, self.is_repeated) = (made_at, true);
    }

    /// Rows that are older have expired, and are replaced.
    pub(super) fn not_before(&self) -> Timestamp {
        self.made_at.before(limits::IDEMPOTENCY_REMEMBERED)
    }
}

impl Store {
    /// Returns when the key was claimed for a card, and the outcome; `None` if it has no claim, or that has expired.
    pub async fn find_claim(
        &self,
        claim: &IdempotencyClaim,
    ) -> Result<Option<(Timestamp, Option<IdempotencyOutcome>)>> {
        lookup!(self, find_claim(claim))
    }

    /// Returns the card that an earlier attempt created for the field: what [`Store::create_card`] returns as
    /// [`CreatedCard::Earlier`](super::CreatedCard::Earlier).
    pub async fn claimed_card(&self, claim: &IdempotencyClaim) -> Result<Option<Arc<Card>>, CreateCardError> {
        read!(self, claimed_card(claim))
    }

    /// Stores the outcome of a request under its key, and waits until it is on disk. A key that has an outcome is not changed.
    pub async fn store_outcome(&self, key: IdempotencyKey, outcome: IdempotencyOutcome) -> Result<()> {
        commit!(self, Statement, always, store_outcome(&key, &outcome))
    }

    /// Stores the outcome of a request that only creates cards, as [`Store::store_outcome`] does. PostgreSQL does not wait for the disk:
    /// the claim of the key was flushed with the card, and is enough to find it (decisions, section 4).
    pub async fn store_outcome_of_creates(&self, key: IdempotencyKey, outcome: IdempotencyOutcome) -> Result<()> {
        match &self.engine {
            Engine::Postgres(db) => meet_faults!(self, share!(db, store_outcome(&key, &outcome))),
            Engine::Sqlite(_) => self.store_outcome(key, outcome).await,
        }
    }

    /// Deletes the claims that were made before `before`, in batches, and counts them.
    pub async fn delete_expired_claims(&self, before: Timestamp) -> Result<usize> {
        let mut count = 0;
        loop {
            match commit!(self, Transaction, if_any, delete_claims_before(before))? {
                0 => return Ok(count),
                some => count += some,
            }
        }
    }
}

/// The claim of a card, and the outcome of its request in the row of the first card.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = idempotency_keys, check_for_backend(Sqlite, Pg))]
pub(super) struct ClaimRow {
    pub partner_id: Id,
    pub mode: Name<KeyMode>,
    pub key: String,
    pub ordinal: i32,
    pub input: Digest,
    pub card_id: Id,
    pub request: Option<Digest>,
    pub response: Option<String>,
    pub made_at: At,
}

// A claim is inserted without an outcome.
insertable!(ClaimRow in idempotency_keys {
    partner_id: partner_id,
    mode: mode,
    key: key,
    ordinal: ordinal,
    input: input,
    card_id: card_id,
    made_at: made_at,
});

impl ClaimRow {
    /// The claim of the field that creates this card.
    pub(super) fn new(card: &Card, claim: &IdempotencyClaim) -> Self {
        Self {
            partner_id: Id(claim.key.partner_id),
            mode: Name(claim.key.mode),
            key: claim.key.text.clone(),
            ordinal: claim.ordinal,
            input: Digest(claim.input),
            card_id: Id(card.id),
            request: None,
            response: None,
            made_at: At(claim.made_at),
        }
    }
}
