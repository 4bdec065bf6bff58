//! Claimed keys and the cards they are bound to.

use diesel::prelude::*;

use crate::model::Card;
use crate::store::IdempotencyClaim;
use crate::store::schema::{idempotency_cards, idempotency_keys};
use crate::store::sql_type::{At, Digest, Id};

/// A new claim. Its answer comes later.
#[derive(Debug, Insertable)]
#[diesel(table_name = idempotency_keys, treat_none_as_default_value = false)]
pub(in crate::store) struct ClaimRow<'a> {
    partner_id: Id,
    key: &'a str,
    fingerprint: Digest,
    created_at: At,
}

impl<'a> ClaimRow<'a> {
    /// The claim that the request for `card` makes.
    pub(in crate::store) fn new(card: &Card, claim: &'a IdempotencyClaim) -> Self {
        ClaimRow {
            partner_id: Id(card.partner_id),
            key: &claim.key,
            fingerprint: Digest(claim.fingerprint),
            created_at: At(card.created_at),
        }
    }
}

/// A card that a claimed key is bound to.
#[derive(Debug, Insertable)]
#[diesel(table_name = idempotency_cards, treat_none_as_default_value = false)]
pub(in crate::store) struct BoundCardRow<'a> {
    partner_id: Id,
    key: &'a str,
    ordinal: i32,
    card_id: Id,
}

impl<'a> BoundCardRow<'a> {
    /// Binds `card` to the key of its request.
    pub(in crate::store) fn new(card: &Card, claim: &'a IdempotencyClaim) -> Self {
        BoundCardRow { partner_id: Id(card.partner_id), key: &claim.key, ordinal: claim.ordinal, card_id: Id(card.id) }
    }
}
