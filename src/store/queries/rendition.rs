//! Which portraits still need their renditions, and which can be shown (decisions, section 7).

use diesel::prelude::*;

use super::photo::marked_for_deletion;
use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{PhotoKey, PixelSize, Portrait};
use crate::store::StoreError;
use crate::store::prepared_query::PreparedQuery;
use crate::store::schema::photos;
use crate::store::sql_type::At;

/// How many portraits a claim looks at: where each of them is taken by another worker first, the next step comes soon.
const CLAIM_CANDIDATES: i64 = 8;

pub(in crate::store) async fn claim_photo_to_render(
    c: &mut Conn,
    now: Timestamp,
    lease: Timestamp,
    attempts_max: i32,
) -> Result<Option<PhotoKey>, StoreError> {
    let due: Vec<(String, Option<At>, i32)> = photos::table
        .filter(photos::render_at.le(Some(At(now))))
        .order(photos::render_at)
        .limit(CLAIM_CANDIDATES)
        .select((photos::key, photos::render_at, photos::render_attempts))
        .load(c)
        .await?;
    for (key, seen, attempts) in due {
        // A picture that ended the process that many times is left alone: its claim is taken away for good.
        let spent = attempts >= attempts_max;
        let claim = (photos::render_at.eq((!spent).then_some(At(lease))), photos::render_attempts.eq(attempts + 1));
        let row = photos::table.filter(photos::key.eq(key.as_str())).filter(photos::render_at.eq(seen));
        if PreparedQuery(diesel::update(row).set(claim)).execute(c).await? == 1 && !spent {
            return Ok(Some(PhotoKey::trusted(key)));
        }
    }
    Ok(None)
}

pub(in crate::store) async fn rendering_postponed(c: &mut Conn, key: PhotoKey) -> Result<(), StoreError> {
    let waiting = photos::table.filter(photos::key.eq(key.as_str())).filter(photos::render_attempts.gt(0));
    let back = photos::render_attempts.eq(photos::render_attempts - 1);
    PreparedQuery(diesel::update(waiting).set(back)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn photo_rendered(
    c: &mut Conn,
    key: PhotoKey,
    screen: Option<PixelSize>,
) -> Result<bool, StoreError> {
    let pixels = |side: fn(PixelSize) -> u32| screen.and_then(|size| i32::try_from(side(size)).ok());
    let done = (
        photos::render_at.eq(None::<At>),
        photos::rendition_width.eq(pixels(|size| size.width)),
        photos::rendition_height.eq(pixels(|size| size.height)),
    );
    let kept = photos::unused_since.is_null().or(photos::unused_since.gt(marked_for_deletion()));
    let row = photos::table.filter(photos::key.eq(key.as_str())).filter(kept);
    Ok(PreparedQuery(diesel::update(row).set(done)).execute(c).await? == 1)
}

pub(in crate::store) async fn portrait(c: &mut Conn, key: &PhotoKey) -> Result<Option<Portrait>, StoreError> {
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
