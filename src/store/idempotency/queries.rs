//! Idempotency keys (decisions, section 4).

use diesel::prelude::*;

pub(crate) use super::super::delete_claims_before;
use super::{Conn, Result, RunQueryDsl};
use crate::store::idempotency::ClaimRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::idempotency_keys;
use crate::store::sql_type::{At, Digest, Id, Name};
use crate::store::{ClaimedCard, ClaimedKey, IdempotencyClaim, IdempotencyKey, IdempotencyOutcome};

/// Selects the rows of a key.
macro_rules! rows_of {
    ($key:expr) => {
        idempotency_keys::table
            .filter(idempotency_keys::partner_id.eq(Id($key.partner_id)))
            .filter(idempotency_keys::mode.eq(Name($key.mode)))
            .filter(idempotency_keys::key.eq(&$key.text))
    };
}

/// Deletes the expired rows of the key.
pub(crate) async fn delete_expired_key(c: &mut Conn<'_>, claim: &IdempotencyClaim) -> Result<()> {
    let expired = rows_of!(claim.key).filter(idempotency_keys::made_at.lt(At(claim.not_before())));
    diesel::delete(expired).perform(c).await?;
    Ok(())
}

pub(crate) async fn find_claimed_key(c: &mut Conn<'_>, claim: &IdempotencyClaim) -> Result<Option<ClaimedKey>> {
    let rows = rows_of!(claim.key).order(idempotency_keys::ordinal).select(ClaimRow::as_select());
    let mut rows: Vec<ClaimRow> = prepared!(rows).load(c).await?;
    // Not a condition of the query: PostgreSQL, planning for an empty table, would search by the index on the time.
    rows.retain(|row| row.made_at.0 >= claim.not_before());
    let Some(first) = rows.first_mut() else { return Ok(None) };
    let outcome = first.request.take().zip(first.response.take());
    Ok(Some(ClaimedKey {
        made_at: first.made_at.0,
        outcome: outcome.map(|(request, response)| IdempotencyOutcome { request: request.0, response }),
        cards: rows.into_iter().map(ClaimedCard::from).collect(),
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
