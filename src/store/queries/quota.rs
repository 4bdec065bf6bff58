//! Quotas: one row for each partner and key mode, and for each browser session.

use diesel::prelude::*;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::store::StoreError;
use crate::store::prepared_query::prepared;
use crate::store::schema::quotas;
use crate::store::sql_type::At;

pub(in crate::store) async fn use_quota(
    c: &mut Conn<'_>,
    subject: String,
    amount: i64,
    max: i64,
    not_before: Timestamp,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let new = (quotas::subject.eq(subject.clone()), quotas::started_at.eq(At(now)), quotas::used.eq(0_i64));
    prepared!(diesel::insert_into(quotas::table).values(new).on_conflict_do_nothing()).execute(c).await?;
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
    prepared!(diesel::update(row).set(set)).execute(c).await?;
    Ok(None)
}

pub(in crate::store) async fn delete_expired_quotas(c: &mut Conn<'_>, before: Timestamp) -> Result<usize, StoreError> {
    Ok(diesel::delete(quotas::table.filter(quotas::started_at.lt(At(before)))).execute(c).await?)
}
