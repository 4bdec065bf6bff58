//! Idempotency keys: their claims and outcomes (specification, section 4.3; decisions, section 4). `http/idempotency.rs` explains
//! them.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::audit::{always, if_any};
use super::database::{Database, Unit, query};
use super::insert::insertable;
use super::schema::idempotency_keys;
use super::sql_type::{At, Digest, Id, Name};
use super::{Result, Store};
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

/// The idempotency key belongs to another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the idempotency key belongs to another request")]
pub struct KeyReused;

/// The claim of a request on its key, or of one of its `cardCreate` fields.
#[derive(Clone, Debug)]
pub struct IdempotencyClaim {
    pub key: IdempotencyKey,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// When the first attempt of the request made its claim.
    pub made_at: Timestamp,
    /// The cards of earlier attempts.
    pub earlier: Vec<ClaimedCard>,
    /// The position of the `cardCreate` field in the request, from 0.
    pub ordinal: i32,
    /// SHA-256 of the input of the field.
    pub input: [u8; 32],
}

/// The rows of a key that have not expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedKey {
    /// When the first attempt of the request made its claim.
    pub made_at: Timestamp,
    pub outcome: Option<IdempotencyOutcome>,
    pub cards: Vec<ClaimedCard>,
}

/// A card that was created under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedCard {
    pub card_id: Uuid,
    /// The position of its `cardCreate` field in the request, from 0.
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
        Self { key, request, made_at, earlier: Vec::new(), ordinal: 0, input: [0; 32] }
    }

    /// Returns the card that an earlier attempt created for the field.
    ///
    /// # Errors
    /// If it was created from another input.
    pub fn earlier_card(&self) -> Result<Option<Uuid>, KeyReused> {
        match self.earlier.iter().find(|card| card.ordinal == self.ordinal) {
            Some(card) if card.input != self.input => Err(KeyReused),
            card => Ok(card.map(|card| card.card_id)),
        }
    }

    /// Takes over the rows of its key. Its own rows get their time, so that all expire at once.
    ///
    /// # Errors
    /// If another request succeeded under the key.
    pub fn continue_from(&mut self, key: &ClaimedKey) -> Result<(), KeyReused> {
        if key.outcome.as_ref().is_some_and(|outcome| outcome.request != self.request) {
            return Err(KeyReused);
        }
        (self.made_at, self.earlier) = (key.made_at, key.cards.clone());
        Ok(())
    }

    /// Rows that are older have expired, and are replaced.
    pub(super) fn not_before(&self) -> Timestamp {
        self.made_at.before(limits::IDEMPOTENCY_REMEMBERED)
    }
}

impl Store {
    /// Returns the rows of the claim's key; `None` if it has none, or they have expired.
    pub async fn find_claimed_key(&self, claim: &IdempotencyClaim) -> Result<Option<ClaimedKey>> {
        query!(self.run_shared(), find_claimed_key(claim))
    }

    /// Stores the outcome of a request under its key, and waits until it is on disk. A key that has an outcome is not changed.
    pub async fn store_outcome(&self, key: IdempotencyKey, outcome: IdempotencyOutcome) -> Result<()> {
        query!(self.write(Unit::Statement, always), store_outcome(&key, &outcome))
    }

    /// Stores the outcome of a request that only creates cards, as [`Store::store_outcome`] does. PostgreSQL does not wait for the disk:
    /// the claim of the key was flushed with the card, and is enough to find it (decisions, section 4).
    pub async fn store_outcome_of_creates(&self, key: IdempotencyKey, outcome: IdempotencyOutcome) -> Result<()> {
        match &self.database {
            Database::Postgres(_) => query!(self.run_shared(), store_outcome(&key, &outcome)),
            Database::Sqlite(_) => self.store_outcome(key, outcome).await,
        }
    }

    /// Deletes the claims that were made before `before`, in batches, and counts them.
    pub async fn delete_expired_claims(&self, before: Timestamp) -> Result<usize> {
        let mut count = 0;
        loop {
            match query!(self.write(Unit::Transaction, if_any), delete_claims_before(before))? {
                0 => return Ok(count),
                some => count += some,
            }
        }
    }
}

/// Defines the row of a claim and its INSERT from one list of its columns.
macro_rules! claim_row {
    ($($column:ident: $type:ty,)+) => {
        /// The claim of a card, and the outcome of its request in the row of the first card.
        #[derive(Debug, Queryable, Selectable)]
        #[diesel(table_name = idempotency_keys, check_for_backend(Sqlite, Pg))]
        pub(super) struct ClaimRow {
            $(pub $column: $type,)+
        }

        insertable!(ClaimRow in idempotency_keys { $($column: $column,)+ });
    };
}

claim_row! {
    partner_id: Id,
    mode: Name<KeyMode>,
    key: String,
    ordinal: i32,
    input: Digest,
    card_id: Id,
    request: Option<Digest>,
    response: Option<String>,
    made_at: At,
}

impl From<ClaimRow> for ClaimedCard {
    fn from(row: ClaimRow) -> Self {
        ClaimedCard { card_id: row.card_id.0, ordinal: row.ordinal, input: row.input.0 }
    }
}

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
