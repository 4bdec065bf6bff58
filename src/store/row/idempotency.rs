//! Idempotency keys, and the cards that they are bound to.

use diesel::prelude::*;

use crate::model::{Card, KeyMode};
use crate::store::IdempotencyClaim;
use crate::store::schema::{idempotency_cards, idempotency_keys};
use crate::store::sql_type::{At, Digest, Id, Name};

/// A new claim. It is bound to a request, and gets its response, later.
#[derive(Debug, Insertable)]
#[diesel(table_name = idempotency_keys, treat_none_as_default_value = false)]
pub(in crate::store) struct ClaimRow<'a> {
    partner_id: Id,
    mode: Name<KeyMode>,
    key: &'a str,
    fingerprint: Digest,
    bound: bool,
    created_at: At,
}

impl<'a> ClaimRow<'a> {
    pub(in crate::store) fn new(card: &Card, claim: &'a IdempotencyClaim) -> Self {
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
pub(in crate::store) struct RecordedCardRow<'a> {
    partner_id: Id,
    mode: Name<KeyMode>,
    key: &'a str,
    ordinal: i32,
    card_id: Id,
    input: Digest,
}

impl<'a> RecordedCardRow<'a> {
    pub(in crate::store) fn new(card: &Card, claim: &'a IdempotencyClaim) -> Self {
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
