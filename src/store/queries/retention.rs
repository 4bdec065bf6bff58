//! Data that is older than it may be kept. Each statement reads along an index and stops at what is younger.

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::CardStatus;
use crate::store::retention::CardAge;
use crate::store::schema::{audit, cards, events, sessions};
use crate::store::sql_type::{At, Id, Name};
use crate::store::{StoreError, id_before};

pub(in crate::store) async fn card_ages(
    c: &mut Conn<'_>,
    after: Uuid,
    created_before: Timestamp,
    count_max: i64,
) -> Result<Vec<CardAge>, StoreError> {
    let rows: Vec<(Id, Name<CardStatus>, At, Option<At>)> = cards::table
        .filter(cards::id.gt(Id(after)))
        .filter(cards::id.lt(Id(id_before(created_before))))
        .order(cards::id)
        .limit(count_max)
        .select((cards::id, cards::status, cards::updated_at, cards::activated_at))
        .load(c)
        .await?;
    let age = |(id, status, updated_at, activated_at): (Id, Name<CardStatus>, At, Option<At>)| CardAge {
        id: id.0,
        status: status.0,
        updated_at: updated_at.0,
        activated_at: activated_at.map(|at| at.0),
    };
    Ok(rows.into_iter().map(age).collect())
}

/// The events before a time. Their ids begin with it: the primary key finds them.
macro_rules! happened_before {
    ($before:expr) => {
        events::table.filter(events::id.lt(Id(id_before($before)))).filter(events::occurred_at.lt(At($before)))
    };
}

pub(in crate::store) async fn events_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64, StoreError> {
    Ok(happened_before!(before).count().get_result(c).await?)
}

pub(in crate::store) async fn delete_events_before(
    c: &mut Conn<'_>,
    before: Timestamp,
    at_most: i64,
) -> Result<usize, StoreError> {
    let old = happened_before!(before).order(events::id).limit(at_most);
    let ids: Vec<Id> = old.select(events::id).load(c).await?;
    Ok(diesel::delete(events::table.filter(among!(events::id, ids))).execute(c).await?)
}

pub(in crate::store) async fn audit_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64, StoreError> {
    Ok(audit::table.filter(audit::at.lt(At(before))).count().get_result(c).await?)
}

pub(in crate::store) async fn delete_audit_before(
    c: &mut Conn<'_>,
    before: Timestamp,
    at_most: i64,
) -> Result<usize, StoreError> {
    let old = audit::table.filter(audit::at.lt(At(before))).order((audit::at, audit::id)).limit(at_most);
    let ids: Vec<Id> = old.select(audit::id).load(c).await?;
    Ok(diesel::delete(audit::table.filter(among!(audit::id, ids))).execute(c).await?)
}

pub(in crate::store) async fn session_links_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64, StoreError> {
    Ok(sessions::table.filter(sessions::expires_at.lt(At(before))).count().get_result(c).await?)
}

pub(in crate::store) async fn delete_session_links_before(
    c: &mut Conn<'_>,
    before: Timestamp,
    at_most: i64,
) -> Result<usize, StoreError> {
    let old = sessions::table.filter(sessions::expires_at.lt(At(before))).order(sessions::expires_at);
    // The time of the last one of a batch: links have no id that a list of them could name.
    let last: Option<At> =
        old.select(sessions::expires_at).offset(at_most - 1).limit(1).get_result(c).await.optional()?;
    let end = last.unwrap_or(At(before));
    let ended = sessions::table.filter(sessions::expires_at.lt(At(before))).filter(sessions::expires_at.le(end));
    Ok(diesel::delete(ended).execute(c).await?)
}
