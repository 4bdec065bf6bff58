//! Claimed keys (decisions, section 4).

use diesel::prelude::*;
use uuid::Uuid;

use super::card::any_card;
use super::{Conn, RunQueryDsl};
use crate::base::{Moment, limits};
use crate::model::Card;
use crate::store::error::Outage;
use crate::store::fixed::Fixed;
use crate::store::row::{BoundCardRow, ClaimRow};
use crate::store::schema::{idempotency_cards, idempotency_keys};
use crate::store::sql_type::{At, Digest, Id};
use crate::store::{CreateCardError, IdempotencyClaim, IdempotencyRecord, StoreError};

/// How often a claim starts afresh because another one removed the expired record in between.
const ATTEMPTS: usize = 5;

/// Lays hold of the key for the request that creates `card`, until the transaction ends: another request with the same
/// key waits. The id of a card: an earlier attempt of the same request created it.
pub(in crate::store) async fn claim_key(
    c: &mut Conn,
    card: &Card,
    claim: &IdempotencyClaim,
) -> Result<Option<Uuid>, CreateCardError> {
    let row = (Id(card.partner_id), claim.key.as_str());
    for _ in 0..ATTEMPTS {
        let insert = diesel::insert_into(idempotency_keys::table).values(ClaimRow::new(card, claim));
        if insert.on_conflict_do_nothing().execute(c).await? == 1 {
            return Ok(None);
        }
        let held =
            idempotency_keys::table.find(row).select((idempotency_keys::fingerprint, idempotency_keys::created_at));
        let held: Option<(Digest, At)> = locked!(held).get_result(c).await.optional()?;
        match held {
            Some((_, At(made))) if made < claim.not_before => {
                diesel::delete(idempotency_keys::table.find(row)).execute(c).await?;
            }
            Some((fingerprint, _)) if fingerprint.0 != claim.fingerprint => return Err(CreateCardError::KeyReused),
            Some(_) => {
                let bound = idempotency_cards::table.find((row.0, row.1, claim.ordinal));
                let card_id: Option<Id> = bound.select(idempotency_cards::card_id).get_result(c).await.optional()?;
                return Ok(card_id.map(|id| id.0));
            }
            None => {} // it was removed in between: it is free
        }
    }
    Err(StoreError::from(Outage::Contended("an idempotency key")).into())
}

pub(in crate::store) async fn bound_card(
    c: &mut Conn,
    partner_id: Uuid,
    claim: &IdempotencyClaim,
) -> Result<Option<Card>, StoreError> {
    let bound = idempotency_cards::table.find((Id(partner_id), claim.key.as_str(), claim.ordinal));
    let card_id: Option<Id> = bound.select(idempotency_cards::card_id).get_result(c).await.optional()?;
    let record = idempotency_record(c, partner_id, &claim.key, claim.not_before).await?;
    match (card_id, record) {
        (Some(id), Some(record)) if record.fingerprint == claim.fingerprint => any_card(c, id.0).await,
        _ => Ok(None),
    }
}

/// Binds the card to the key that the transaction holds.
pub(in crate::store) async fn bind_card(c: &mut Conn, card: &Card, claim: &IdempotencyClaim) -> Result<(), StoreError> {
    diesel::insert_into(idempotency_cards::table).values(BoundCardRow::new(card, claim)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn idempotency_record(
    c: &mut Conn,
    partner_id: Uuid,
    key: &str,
    not_before: Moment,
) -> Result<Option<IdempotencyRecord>, StoreError> {
    let row: Option<(Digest, Option<String>, At)> = idempotency_keys::table
        .find((Id(partner_id), key))
        .filter(idempotency_keys::created_at.ge(At(not_before)))
        .select((idempotency_keys::fingerprint, idempotency_keys::response, idempotency_keys::created_at))
        .get_result(c)
        .await
        .optional()?;
    Ok(row.map(|(fingerprint, response, created_at)| IdempotencyRecord {
        fingerprint: fingerprint.0,
        response,
        created_at: created_at.0,
    }))
}

pub(in crate::store) async fn remember_response(
    c: &mut Conn,
    partner_id: Uuid,
    key: String,
    response: String,
) -> Result<(), StoreError> {
    let unanswered = idempotency_keys::table
        .filter(idempotency_keys::partner_id.eq(Id(partner_id)))
        .filter(idempotency_keys::key.eq(key))
        .filter(idempotency_keys::response.is_null());
    Fixed(diesel::update(unanswered).set(idempotency_keys::response.eq(Some(response)))).execute(c).await?;
    Ok(())
}

/// Deletes the oldest records made before `before`, up to a limit, and counts them. None are left when it says 0.
pub(in crate::store) async fn forget_some_idempotency(c: &mut Conn, before: Moment) -> Result<usize, StoreError> {
    // The moment of the last record that goes; its equals, made in the same millisecond, go with it.
    let expired = idempotency_keys::table.filter(idempotency_keys::created_at.lt(At(before)));
    let last: Option<At> = expired
        .order(idempotency_keys::created_at)
        .select(idempotency_keys::created_at)
        .offset(limits::IDEMPOTENCY_RECORDS_PER_SWEEP - 1)
        .limit(1)
        .get_result(c)
        .await
        .optional()?;
    let gone = match last {
        Some(last) => {
            diesel::delete(idempotency_keys::table.filter(idempotency_keys::created_at.le(last))).execute(c).await?
        }
        None => diesel::delete(expired).execute(c).await?,
    };
    Ok(gone)
}
