//! Portraits, and quotas: one row for each partner and key mode, and for each browser session.

use diesel::dsl::{exists, not};
use diesel::prelude::*;

use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{PhotoKey, PixelSize, Portrait};
use crate::store::error::Inconsistent;
use crate::store::prepared_query::prepared;
use crate::store::schema::{cards, photos, quotas};
use crate::store::sql_type::At;

/// How many photos a claim looks at: other workers may have claimed the first ones.
const CLAIM_CANDIDATES: i64 = 8;

pub(crate) async fn put_photo(
    c: &mut Conn<'_>,
    key: PhotoKey,
    bytes: i64,
    now: Timestamp,
    render_at: Timestamp,
) -> Result<()> {
    let row = (
        photos::key.eq(key.as_str()),
        photos::bytes.eq(bytes),
        photos::created_at.eq(At(now)),
        photos::unused_since.eq(Some(At(now))),
        photos::render_at.eq(Some(At(render_at))),
        photos::render_attempts.eq(0),
    );
    diesel::insert_into(photos::table).values(row).perform(c).await?;
    Ok(())
}

/// The value of `unused_since` of a photo that is marked for deletion: earlier than any other.
pub(super) fn marked_for_deletion() -> At {
    At(Timestamp::from_millis(0).expect("1970 is within the calendar"))
}

/// Marks the photo as used.
pub(crate) async fn use_photo(c: &mut Conn<'_>, key: &PhotoKey) -> Result<()> {
    let row = photos::table.filter(photos::key.eq(key.as_str()));
    let kept = row.filter(photos::unused_since.is_null().or(photos::unused_since.gt(marked_for_deletion())));
    match prepared!(diesel::update(kept).set(photos::unused_since.eq(None::<At>))).execute(c).await? {
        1 => Ok(()),
        _ => Err(Inconsistent("a card is to show a portrait that is not there").into()),
    }
}

pub(crate) async fn mark_photo_for_deletion(c: &mut Conn<'_>, key: PhotoKey) -> Result<bool> {
    let shown = cards::table.filter(cards::deceased_photo_key.eq(key.as_str()));
    let unused = photos::table
        .filter(photos::key.eq(key.as_str()))
        .filter(photos::unused_since.is_not_null())
        .filter(not(exists(shown)));
    Ok(prepared!(diesel::update(unused).set(photos::unused_since.eq(Some(marked_for_deletion())))).execute(c).await?
        == 1)
}

/// Marks the photo as unused, unless a card shows it.
pub(crate) async fn release_photo(c: &mut Conn<'_>, key: &PhotoKey, now: Timestamp) -> Result<()> {
    let shown = cards::table.filter(cards::deceased_photo_key.eq(key.as_str()));
    let row = photos::table.filter(photos::key.eq(key.as_str())).filter(not(exists(shown)));
    prepared!(diesel::update(row).set(photos::unused_since.eq(Some(At(now))))).perform(c).await?;
    Ok(())
}

pub(crate) async fn photos_unused(c: &mut Conn<'_>, before: Timestamp, limit: usize) -> Result<Vec<PhotoKey>> {
    let keys: Vec<String> = photos::table
        .filter(photos::unused_since.lt(Some(At(before))))
        .order(photos::unused_since)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(photos::key)
        .load(c)
        .await?;
    Ok(keys.into_iter().map(PhotoKey::trusted).collect())
}

pub(crate) async fn photos_shown(c: &mut Conn<'_>, after: &str, limit: usize) -> Result<Vec<PhotoKey>> {
    let keys: Vec<String> = photos::table
        .filter(photos::key.gt(after))
        .filter(photos::unused_since.is_null())
        .order(photos::key)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(photos::key)
        .load(c)
        .await?;
    Ok(keys.into_iter().map(PhotoKey::trusted).collect())
}

pub(crate) async fn delete_photo(c: &mut Conn<'_>, key: PhotoKey) -> Result<bool> {
    let row =
        photos::table.filter(photos::key.eq(key.as_str())).filter(photos::unused_since.eq(Some(marked_for_deletion())));
    Ok(diesel::delete(row).execute(c).await? == 1)
}

pub(crate) async fn photo_is_there(c: &mut Conn<'_>, key: &PhotoKey) -> Result<bool> {
    let kept = photos::unused_since.is_null().or(photos::unused_since.gt(marked_for_deletion()));
    let there = photos::table.filter(photos::key.eq(key.as_str())).filter(kept).select(photos::key);
    Ok(there.get_result::<String>(c).await.optional()?.is_some())
}

pub(crate) async fn claim_photo_to_render(
    c: &mut Conn<'_>,
    now: Timestamp,
    lease: Timestamp,
    attempts_max: i32,
) -> Result<Option<PhotoKey>> {
    let due: Vec<(String, Option<At>, i32)> = photos::table
        .filter(photos::render_at.le(Some(At(now))))
        .order(photos::render_at)
        .limit(CLAIM_CANDIDATES)
        .select((photos::key, photos::render_at, photos::render_attempts))
        .load(c)
        .await?;
    for (key, seen, attempts) in due {
        // A photo whose attempts are used up is not rendered: it may have ended the process each time.
        let spent = attempts >= attempts_max;
        let claim = (photos::render_at.eq((!spent).then_some(At(lease))), photos::render_attempts.eq(attempts + 1));
        let row = photos::table.filter(photos::key.eq(key.as_str())).filter(photos::render_at.eq(seen));
        if prepared!(diesel::update(row).set(claim)).execute(c).await? == 1 && !spent {
            return Ok(Some(PhotoKey::trusted(key)));
        }
    }
    Ok(None)
}

pub(crate) async fn forget_renditions(c: &mut Conn<'_>, key: PhotoKey, render_at: Option<Timestamp>) -> Result<()> {
    let row = photos::table.filter(photos::key.eq(key.as_str()));
    let none = (
        photos::render_at.eq(render_at.map(At)),
        photos::render_attempts.eq(0),
        photos::rendition_width.eq(None::<i32>),
        photos::rendition_height.eq(None::<i32>),
    );
    prepared!(diesel::update(row).set(none)).perform(c).await?;
    Ok(())
}

pub(crate) async fn postpone_rendering(c: &mut Conn<'_>, key: PhotoKey) -> Result<()> {
    let waiting = photos::table.filter(photos::key.eq(key.as_str())).filter(photos::render_attempts.gt(0));
    let back = photos::render_attempts.eq(photos::render_attempts - 1);
    prepared!(diesel::update(waiting).set(back)).perform(c).await?;
    Ok(())
}

pub(crate) async fn record_rendering(c: &mut Conn<'_>, key: PhotoKey, screen: Option<PixelSize>) -> Result<bool> {
    let pixels = |side: fn(PixelSize) -> u32| screen.and_then(|size| i32::try_from(side(size)).ok());
    let done = (
        photos::render_at.eq(None::<At>),
        photos::rendition_width.eq(pixels(|size| size.width)),
        photos::rendition_height.eq(pixels(|size| size.height)),
    );
    let kept = photos::unused_since.is_null().or(photos::unused_since.gt(marked_for_deletion()));
    let row = photos::table.filter(photos::key.eq(key.as_str())).filter(kept);
    Ok(prepared!(diesel::update(row).set(done)).execute(c).await? == 1)
}

pub(crate) async fn portrait(c: &mut Conn<'_>, key: &PhotoKey) -> Result<Option<Portrait>> {
    let size: Option<(Option<i32>, Option<i32>)> = photos::table
        .filter(photos::key.eq(key.as_str()))
        .select((photos::rendition_width, photos::rendition_height))
        .get_result(c)
        .await
        .optional()?;
    let side = |pixels: Option<i32>| pixels.and_then(|pixels| u32::try_from(pixels).ok());
    Ok(size.and_then(|(width, height)| {
        let screen = PixelSize { width: side(width)?, height: side(height)? };
        Some(Portrait { photo: key.clone(), screen })
    }))
}

pub(crate) async fn use_quota(
    c: &mut Conn<'_>,
    subject: String,
    amount: i64,
    max: i64,
    not_before: Timestamp,
    now: Timestamp,
) -> Result<Option<Timestamp>> {
    let new = (quotas::subject.eq(subject.clone()), quotas::started_at.eq(At(now)), quotas::used.eq(0_i64));
    prepared!(diesel::insert_into(quotas::table).values(new).on_conflict_do_nothing()).perform(c).await?;
    // The lock keeps another replica from using the rest at the same time.
    let row = quotas::table.filter(quotas::subject.eq(subject.clone())).select((quotas::started_at, quotas::used));
    let (started_at, used): (At, i64) = locked!(row).get_result(c).await?;
    let (started_at, used) = if started_at.0 > not_before { (started_at.0, used) } else { (now, 0) };
    let used = used.saturating_add(amount);
    if used > max {
        return Ok(Some(started_at));
    }
    let row = quotas::table.filter(quotas::subject.eq(subject));
    let set = (quotas::started_at.eq(At(started_at)), quotas::used.eq(used));
    prepared!(diesel::update(row).set(set)).perform(c).await?;
    Ok(None)
}

pub(crate) async fn delete_expired_quotas(c: &mut Conn<'_>, before: Timestamp) -> Result<usize> {
    Ok(diesel::delete(quotas::table.filter(quotas::started_at.lt(At(before)))).execute(c).await?)
}
