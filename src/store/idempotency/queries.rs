//! Idempotency keys (decisions, section 4).

use diesel::prelude::*;
use uuid::Uuid;

use super::card::any_card;
use super::{Conn, Result, RunQueryDsl};
use crate::base::{Timestamp, limits};
use crate::model::{Card, KeyMode};
use crate::store::error::Outage;
use crate::store::idempotency::{ClaimRow, RecordedCardRow};
use crate::store::prepared_query::prepared;
use crate::store::schema::{idempotency_cards, idempotency_keys};
use crate::store::sql_type::{At, Digest, Id, Name};
use crate::store::{CreateCardError, IdempotencyClaim, IdempotencyKey, IdempotencyRecord, StoreError};

/// How often a claim is tried again because another one deleted the expired record meanwhile.
const ATTEMPTS: usize = 5;

/// The primary key of a record.
fn row_of(key: &IdempotencyKey) -> (Id, Name<KeyMode>, &str) {
    (Id(key.partner_id), Name(key.mode), key.text.as_str())
}

/// Inserts the claim of a key that has none, and locks the key until the transaction ends: another request with the same
/// key waits. Returns false if the key has a claim.
pub(crate) async fn insert_claim(c: &mut Conn<'_>, card: &Card, claim: &IdempotencyClaim) -> Result<bool> {
    let insert = diesel::insert_into(idempotency_keys::table).values(ClaimRow::new(card, claim));
    Ok(prepared!(insert.on_conflict_do_nothing()).execute(c).await? == 1)
}

/// Locks the key for the request that creates `card`, until the transaction ends, and inserts its claim if it has none.
/// Returns the id of the card that an earlier attempt created from the same input; `None` if the key is new, or has no card
/// at this ordinal.
pub(crate) async fn claim_key(
    c: &mut Conn<'_>,
    card: &Card,
    claim: &IdempotencyClaim,
) -> Result<Option<Uuid>, CreateCardError> {
    let row = row_of(&claim.key);
    for _ in 0..ATTEMPTS {
        if insert_claim(c, card, claim).await? {
            return Ok(None);
        }
        let held = idempotency_keys::table.find(row).select((
            idempotency_keys::fingerprint,
            idempotency_keys::bound,
            idempotency_keys::created_at,
        ));
        let held: Option<(Digest, bool, At)> = locked!(held).get_result(c).await.optional()?;
        match held {
            Some((_, _, At(made))) if made < claim.not_before => {
                diesel::delete(idempotency_keys::table.find(row)).execute(c).await?;
            }
            Some((Digest(fingerprint), true, _)) if fingerprint != claim.fingerprint => {
                return Err(CreateCardError::KeyReused);
            }
            Some(_) => return recorded_card_id(c, claim).await,
            None => {} // it was deleted meanwhile
        }
    }
    Err(StoreError::from(Outage::Contended("an idempotency key")).into())
}

/// Returns the card under the key and ordinal of a claim. Refuses a card that was created from another input.
async fn recorded_card_id(c: &mut Conn<'_>, claim: &IdempotencyClaim) -> Result<Option<Uuid>, CreateCardError> {
    let (partner_id, mode, key) = row_of(&claim.key);
    let bound = idempotency_cards::table.find((partner_id, mode, key, claim.ordinal));
    let bound = bound.select((idempotency_cards::card_id, idempotency_cards::input));
    let bound: Option<(Id, Digest)> = bound.get_result(c).await.optional()?;
    match bound {
        None => Ok(None),
        Some((Id(id), Digest(input))) if input == claim.input => Ok(Some(id)),
        Some(_) => Err(CreateCardError::KeyReused),
    }
}

pub(crate) async fn recorded_card(c: &mut Conn<'_>, claim: &IdempotencyClaim) -> Result<Option<Card>, CreateCardError> {
    match idempotency_record(c, &claim.key, claim.not_before).await? {
        None => Ok(None),
        Some(record) if record.bound && record.fingerprint != claim.fingerprint => Err(CreateCardError::KeyReused),
        Some(_) => match recorded_card_id(c, claim).await? {
            Some(id) => Ok(any_card(c, id).await?),
            None => Ok(None),
        },
    }
}

/// Records the card under the key that the transaction holds.
pub(crate) async fn record_card(c: &mut Conn<'_>, card: &Card, claim: &IdempotencyClaim) -> Result<()> {
    diesel::insert_into(idempotency_cards::table).values(RecordedCardRow::new(card, claim)).execute(c).await?;
    Ok(())
}

pub(crate) async fn idempotency_record(
    c: &mut Conn<'_>,
    key: &IdempotencyKey,
    not_before: Timestamp,
) -> Result<Option<IdempotencyRecord>> {
    let row: Option<(Digest, bool, Option<String>, At)> = idempotency_keys::table
        .find(row_of(key))
        .select((
            idempotency_keys::fingerprint,
            idempotency_keys::bound,
            idempotency_keys::response,
            idempotency_keys::created_at,
        ))
        .get_result(c)
        .await
        .optional()?;
    // Not a condition of the query: PostgreSQL, planning for an empty table, would search by the index on the time.
    let row = row.filter(|(.., created_at)| created_at.0 >= not_before);
    Ok(row.map(|(fingerprint, bound, response, created_at)| IdempotencyRecord {
        fingerprint: fingerprint.0,
        bound,
        response,
        created_at: created_at.0,
    }))
}

pub(crate) async fn bind_request(
    c: &mut Conn<'_>,
    key: IdempotencyKey,
    fingerprint: [u8; 32],
    response: String,
) -> Result<()> {
    let (partner_id, mode, text) = row_of(&key);
    let free = idempotency_keys::bound.eq(false).or(idempotency_keys::fingerprint.eq(Digest(fingerprint)));
    let unanswered = idempotency_keys::table
        .filter(idempotency_keys::partner_id.eq(partner_id))
        .filter(idempotency_keys::mode.eq(mode))
        .filter(idempotency_keys::key.eq(text))
        .filter(idempotency_keys::response.is_null())
        .filter(free);
    let bound = (
        idempotency_keys::bound.eq(true),
        idempotency_keys::fingerprint.eq(Digest(fingerprint)),
        idempotency_keys::response.eq(Some(response)),
    );
    prepared!(diesel::update(unanswered).set(bound)).execute(c).await?;
    Ok(())
}

/// Deletes the oldest records that were made before `before`, up to a limit, and counts them.
pub(crate) async fn delete_idempotency_batch(c: &mut Conn<'_>, before: Timestamp) -> Result<usize> {
    // When the last record of the batch was made. All records of that millisecond are deleted.
    let expired = idempotency_keys::table.filter(idempotency_keys::created_at.lt(At(before)));
    let last: Option<At> = expired
        .order(idempotency_keys::created_at)
        .select(idempotency_keys::created_at)
        .offset(limits::IDEMPOTENCY_RECORDS_DELETED_AT_ONCE - 1)
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
