//! Idempotency keys (decisions, section 4).

use std::sync::Arc;

use diesel::prelude::*;
use uuid::Uuid;

pub(crate) use super::super::delete_claims_before;
use super::card::any_card;
use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::Card;
use crate::store::error::Outage;
use crate::store::idempotency::ClaimRow;
use crate::store::insert::insert;
use crate::store::prepared_query::prepared;
use crate::store::schema::idempotency_keys;
use crate::store::sql_type::{At, Digest, Id, Name};
use crate::store::{CreateCardError, IdempotencyClaim, IdempotencyKey, IdempotencyOutcome, StoreError};

/// How often a claim is tried again because another one deleted the expired row meanwhile.
const ATTEMPTS: usize = 5;

/// Selects the rows of a key.
macro_rules! rows_of {
    ($key:expr) => {
        idempotency_keys::table
            .filter(idempotency_keys::partner_id.eq(Id($key.partner_id)))
            .filter(idempotency_keys::mode.eq(Name($key.mode)))
            .filter(idempotency_keys::key.eq(&$key.text))
    };
}

/// Inserts the claim of a field that has none, and locks it until the transaction ends: another request with the same key
/// waits. Returns false if there is a claim.
async fn insert_claim(c: &mut Conn<'_>, card: &Card, claim: &IdempotencyClaim) -> Result<bool> {
    let once = insert(ClaimRow::new(card, claim)).unless_conflict("key, partner_id, mode, ordinal");
    Ok(prepared!(once).insert_once(c).await?)
}

/// Claims the key for the field that creates `card`, until the transaction ends. Returns the id of the card that an earlier
/// attempt created from the same input; `None` if the claim is new.
pub(crate) async fn claim_key(
    c: &mut Conn<'_>,
    card: &Card,
    claim: &IdempotencyClaim,
) -> Result<Option<Uuid>, CreateCardError> {
    for _ in 0..ATTEMPTS {
        // For the second and later cardCreate of a request, another request may have completed under this key since our first
        // field ran. So look at the rows even after a successful insert.
        let is_new = insert_claim(c, card, claim).await?;
        if is_new && claim.ordinal == 0 {
            return Ok(None);
        }
        let claimed = claimed_card_id(c, claim).await;
        if is_new && claimed.is_err() {
            delete_claim(c, claim).await?;
        }
        if let Some(id) = claimed? {
            return Ok(Some(id).filter(|id| *id != card.id));
        }
        let expired = rows_of!(claim.key).filter(idempotency_keys::made_at.lt(At(claim.not_before())));
        diesel::delete(expired).perform(c).await?; // no row: another request deleted it meanwhile
    }
    Err(StoreError::from(Outage::Contended("an idempotency key")).into())
}

/// Deletes the claim of a field that creates no card.
pub(crate) async fn delete_claim(c: &mut Conn<'_>, claim: &IdempotencyClaim) -> Result<()> {
    let of_field = rows_of!(claim.key).filter(idempotency_keys::ordinal.eq(claim.ordinal));
    diesel::delete(of_field).perform(c).await?;
    Ok(())
}

/// Returns the rows of a key that have not expired, by their ordinals.
async fn claims(c: &mut Conn<'_>, claim: &IdempotencyClaim) -> Result<Vec<ClaimRow>> {
    let rows = rows_of!(claim.key).order(idempotency_keys::ordinal).select(ClaimRow::as_select());
    let mut rows: Vec<ClaimRow> = prepared!(rows).load(c).await?;
    // Not a condition of the query: PostgreSQL, planning for an empty table, would search by the index on the time.
    rows.retain(|row| row.made_at.0 >= claim.not_before());
    Ok(rows)
}

/// Returns the id of the card under the key and ordinal of a claim. Refuses the key of another request, and a card that was
/// created from another input.
async fn claimed_card_id(c: &mut Conn<'_>, claim: &IdempotencyClaim) -> Result<Option<Uuid>, CreateCardError> {
    let rows = claims(c, claim).await?;
    let is_of_other = rows.iter().any(|row| row.request.as_ref().is_some_and(|request| request.0 != claim.request));
    match rows.iter().find(|row| row.ordinal == claim.ordinal) {
        _ if is_of_other => Err(CreateCardError::KeyReused),
        Some(row) if row.input.0 != claim.input => Err(CreateCardError::KeyReused),
        row => Ok(row.map(|row| row.card_id.0)),
    }
}

pub(crate) async fn claimed_card(
    c: &mut Conn<'_>,
    claim: &IdempotencyClaim,
) -> Result<Option<Arc<Card>>, CreateCardError> {
    match claimed_card_id(c, claim).await? {
        Some(id) => Ok(any_card(c, id).await?),
        None => Ok(None),
    }
}

pub(crate) async fn find_claim(
    c: &mut Conn<'_>,
    claim: &IdempotencyClaim,
) -> Result<Option<(Timestamp, Option<IdempotencyOutcome>)>> {
    let first = claims(c, claim).await?.into_iter().next();
    Ok(first.map(|row| {
        let outcome = row.request.zip(row.response);
        (row.made_at.0, outcome.map(|(request, response)| IdempotencyOutcome { request: request.0, response }))
    }))
}

/// Writes the row of the first card: a request that succeeded as a whole has one.
pub(crate) async fn store_outcome(c: &mut Conn<'_>, key: &IdempotencyKey, outcome: &IdempotencyOutcome) -> Result<()> {
    let first = rows_of!(key).filter(idempotency_keys::ordinal.eq(0)).filter(idempotency_keys::response.is_null());
    let set = (
        idempotency_keys::request.eq(Some(Digest(outcome.request))),
        idempotency_keys::response.eq(Some(&outcome.response)),
    );
    prepared!(diesel::update(first).set(set)).perform(c).await?;
    Ok(())
}
