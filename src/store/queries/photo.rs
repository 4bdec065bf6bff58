//! Portraits in the object store, and whether a card shows them (decisions, section 7).

use diesel::dsl::{exists, not};
use diesel::prelude::*;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::PhotoKey;
use crate::store::StoreError;
use crate::store::error::Inconsistent;
use crate::store::prepared_query::PreparedQuery;
use crate::store::schema::{cards, photos};
use crate::store::sql_type::At;

pub(in crate::store) async fn put_photo(
    c: &mut Conn,
    key: PhotoKey,
    bytes: i64,
    now: Timestamp,
    render_at: Timestamp,
) -> Result<(), StoreError> {
    let row = (
        photos::key.eq(key.as_str()),
        photos::bytes.eq(bytes),
        photos::created_at.eq(At(now)),
        photos::unused_since.eq(Some(At(now))),
        photos::render_at.eq(Some(At(render_at))),
        photos::render_attempts.eq(0),
    );
    diesel::insert_into(photos::table).values(row).execute(c).await?;
    Ok(())
}

/// Since when a portrait is unused that is being removed: for good, and longer than any other.
pub(super) fn marked_for_deletion() -> At {
    At(Timestamp::from_millis(0).expect("1970 is a moment"))
}

/// Notes that a card is about to show the portrait.
pub(in crate::store) async fn use_photo(c: &mut Conn, key: &PhotoKey) -> Result<(), StoreError> {
    let row = photos::table.filter(photos::key.eq(key.as_str()));
    let kept = row.filter(photos::unused_since.is_null().or(photos::unused_since.gt(marked_for_deletion())));
    match PreparedQuery(diesel::update(kept).set(photos::unused_since.eq(None::<At>))).execute(c).await? {
        1 => Ok(()),
        _ => Err(Inconsistent("a card is to show a portrait that is not there").into()),
    }
}

/// Keeps every card from a portrait that none shows, so that its bytes may go; false when a card shows it, or it is not
/// there.
pub(in crate::store) async fn mark_photo_for_deletion(c: &mut Conn, key: PhotoKey) -> Result<bool, StoreError> {
    let shown = cards::table.filter(cards::deceased_photo_key.eq(key.as_str()));
    let unused = photos::table
        .filter(photos::key.eq(key.as_str()))
        .filter(photos::unused_since.is_not_null())
        .filter(not(exists(shown)));
    Ok(PreparedQuery(diesel::update(unused).set(photos::unused_since.eq(Some(marked_for_deletion()))))
        .execute(c)
        .await?
        == 1)
}

/// Notes that a card no longer shows the portrait.
pub(in crate::store) async fn release_photo(c: &mut Conn, key: &PhotoKey, now: Timestamp) -> Result<(), StoreError> {
    let shown = cards::table.filter(cards::deceased_photo_key.eq(key.as_str()));
    let row = photos::table.filter(photos::key.eq(key.as_str())).filter(not(exists(shown)));
    PreparedQuery(diesel::update(row).set(photos::unused_since.eq(Some(At(now))))).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn photos_unused(
    c: &mut Conn,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<PhotoKey>, StoreError> {
    let keys: Vec<String> = photos::table
        .filter(photos::unused_since.lt(Some(At(before))))
        .order(photos::unused_since)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(photos::key)
        .load(c)
        .await?;
    Ok(keys.into_iter().map(PhotoKey::trusted).collect())
}

pub(in crate::store) async fn delete_photo(c: &mut Conn, key: PhotoKey) -> Result<bool, StoreError> {
    let row =
        photos::table.filter(photos::key.eq(key.as_str())).filter(photos::unused_since.eq(Some(marked_for_deletion())));
    Ok(diesel::delete(row).execute(c).await? == 1)
}

pub(in crate::store) async fn photo_is_there(c: &mut Conn, key: &PhotoKey) -> Result<bool, StoreError> {
    let kept = photos::unused_since.is_null().or(photos::unused_since.gt(marked_for_deletion()));
    let there = photos::table.filter(photos::key.eq(key.as_str())).filter(kept).select(photos::key);
    Ok(there.get_result::<String>(c).await.optional()?.is_some())
}
