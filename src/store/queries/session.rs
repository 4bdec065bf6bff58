//! One-time session links, and the visits they open (decisions S1, S2).

use diesel::prelude::*;

use super::{Conn, RunQueryDsl};
use crate::base::Moment;
use crate::model::{Session, Visit};
use crate::store::fixed::Fixed;
use crate::store::row::{SessionRow, VisitRow};
use crate::store::schema::{sessions, visits};
use crate::store::sql_type::At;
use crate::store::{OpenedSession, StoreError};

pub(in crate::store) async fn open_session(c: &mut Conn, session: Session) -> Result<(), StoreError> {
    diesel::insert_into(sessions::table).values(SessionRow::from(session)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn session_by_digest(
    c: &mut Conn,
    digest: &[u8; 32],
) -> Result<Option<Session>, StoreError> {
    let one = sessions::table.filter(sessions::digest.eq(digest.as_slice()));
    let row = one.select(SessionRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Session::from))
}

/// Uses the link up, once: whoever comes second finds it used, on whatever replica.
pub(in crate::store) async fn redeem_session(
    c: &mut Conn,
    digest: [u8; 32],
    visit_digest: [u8; 32],
    now: Moment,
) -> Result<Option<OpenedSession>, StoreError> {
    let fresh = sessions::table
        .filter(sessions::digest.eq(digest.to_vec()))
        .filter(sessions::used_at.is_null())
        .filter(sessions::expires_at.gt(At(now)));
    let opened = Fixed(diesel::update(fresh).set(sessions::used_at.eq(Some(At(now))))).execute(c).await? == 1;
    let Some(session) = session_by_digest(c, &digest).await? else { return Ok(None) };
    if !opened {
        return Ok(Some(OpenedSession { session, visit: None }));
    }
    let visit =
        Visit { digest: visit_digest, card_id: session.card_id, target: session.target, created_at: now, seen_at: now };
    open_visit(c, visit.clone()).await?;
    Ok(Some(OpenedSession { session, visit: Some(visit) }))
}

pub(in crate::store) async fn open_visit(c: &mut Conn, visit: Visit) -> Result<(), StoreError> {
    diesel::insert_into(visits::table).values(VisitRow::from(visit)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn visit(c: &mut Conn, digest: &[u8; 32]) -> Result<Option<Visit>, StoreError> {
    let one = visits::table.filter(visits::digest.eq(digest.as_slice()));
    Ok(one.select(VisitRow::as_select()).get_result(c).await.optional()?.map(Visit::from))
}

pub(in crate::store) async fn touch_visit(c: &mut Conn, digest: [u8; 32], now: Moment) -> Result<(), StoreError> {
    let one = visits::table.filter(visits::digest.eq(digest.to_vec()));
    Fixed(diesel::update(one).set(visits::seen_at.eq(At(now)))).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn forget_visits(c: &mut Conn, before: Moment) -> Result<usize, StoreError> {
    Ok(diesel::delete(visits::table.filter(visits::created_at.lt(At(before)))).execute(c).await?)
}
