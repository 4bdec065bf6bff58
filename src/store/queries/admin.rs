//! The operator's links to the administration and the sessions that they opened (decisions S11, S12).

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::AdminSession;
use crate::store::StoreError;
use crate::store::row::AdminSessionRow;
use crate::store::schema::admin_sessions::{self, dsl};
use crate::store::sql_type::{At, Digest, Id};

pub(in crate::store) async fn add_admin_link(c: &mut Conn<'_>, link: AdminSession) -> Result<(), StoreError> {
    diesel::insert_into(admin_sessions::table).values(AdminSessionRow::from(link)).execute(c).await?;
    Ok(())
}

/// One statement checks and marks the link, so that only one replica can open it.
pub(in crate::store) async fn open_admin_link(
    c: &mut Conn<'_>,
    link: [u8; 32],
    cookie: [u8; 32],
    now: Timestamp,
) -> Result<bool, StoreError> {
    let fresh = admin_sessions::table
        .filter(dsl::link.eq(Digest(link)))
        .filter(dsl::opened_at.is_null())
        .filter(dsl::ended_at.is_null())
        .filter(dsl::expires_at.gt(At(now)));
    let opened =
        (dsl::opened_at.eq(Some(At(now))), dsl::seen_at.eq(Some(At(now))), dsl::cookie.eq(Some(Digest(cookie))));
    Ok(diesel::update(fresh).set(opened).execute(c).await? == 1)
}

pub(in crate::store) async fn admin_session(
    c: &mut Conn<'_>,
    cookie: [u8; 32],
) -> Result<Option<AdminSession>, StoreError> {
    let one = admin_sessions::table.filter(dsl::cookie.eq(Some(Digest(cookie))));
    Ok(one.select(AdminSessionRow::as_select()).get_result(c).await.optional()?.map(AdminSession::from))
}

pub(in crate::store) async fn admin_sessions(c: &mut Conn<'_>) -> Result<Vec<AdminSession>, StoreError> {
    let newest_first = admin_sessions::table.order((dsl::expires_at.desc(), dsl::id.desc()));
    let rows: Vec<AdminSessionRow> = newest_first.select(AdminSessionRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(AdminSession::from).collect())
}

pub(in crate::store) async fn touch_admin_session(
    c: &mut Conn<'_>,
    id: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    let one = admin_sessions::table.filter(dsl::id.eq(Id(id)));
    diesel::update(one).set(dsl::seen_at.eq(Some(At(now)))).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn end_admin_session(
    c: &mut Conn<'_>,
    id: Uuid,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let one = admin_sessions::table.filter(dsl::id.eq(Id(id))).filter(dsl::ended_at.is_null());
    Ok(diesel::update(one).set(dsl::ended_at.eq(Some(At(now)))).execute(c).await? == 1)
}

pub(in crate::store) async fn admin_sessions_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64, StoreError> {
    Ok(admin_sessions::table.filter(dsl::expires_at.lt(At(before))).count().get_result(c).await?)
}

/// In one statement: there are a few for each day and operator.
pub(in crate::store) async fn delete_admin_sessions_before(
    c: &mut Conn<'_>,
    before: Timestamp,
) -> Result<usize, StoreError> {
    Ok(diesel::delete(admin_sessions::table.filter(dsl::expires_at.lt(At(before)))).execute(c).await?)
}
