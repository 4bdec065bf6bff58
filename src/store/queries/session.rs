//! One-time session links, and the browser sessions (visits) that they open (decisions S1, S2).

use diesel::dsl::{exists, not};
use diesel::prelude::*;

use super::{Conn, Db, RunQueryDsl};
use crate::base::{Timestamp, limits};
use crate::model::{BrowserSession, OpenSession, SessionLink, SessionsOf};
use crate::store::prepared_query::PreparedQuery;
use crate::store::row::{SessionRow, VisitRow};
use crate::store::schema::{access_keys, cards, sessions, visits};
use crate::store::sql_type::{At, Digest, Id};
use crate::store::{OpenedSession, StoreError};

/// Whether the key that made the link of a row is revoked.
macro_rules! key_revoked {
    ($table:ident) => {
        exists(
            access_keys::table
                .filter($table::key_id.eq(access_keys::id.nullable()))
                .filter(access_keys::revoked_at.is_not_null()),
        )
    };
}

pub(in crate::store) async fn open_session(c: &mut Conn, session: SessionLink) -> Result<(), StoreError> {
    diesel::insert_into(sessions::table).values(SessionRow::from(session)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn session_by_digest(
    c: &mut Conn,
    digest: &[u8; 32],
) -> Result<Option<SessionLink>, StoreError> {
    let one = sessions::table.filter(sessions::digest.eq(digest.as_slice()));
    let row = one.select(SessionRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(SessionLink::from))
}

/// One statement checks and marks the link, so that only one replica can redeem it.
pub(in crate::store) async fn redeem_session(
    c: &mut Conn,
    digest: [u8; 32],
    visit_digest: [u8; 32],
    now: Timestamp,
) -> Result<Option<OpenedSession>, StoreError> {
    let fresh = sessions::table
        .filter(sessions::digest.eq(digest.to_vec()))
        .filter(sessions::used_at.is_null())
        .filter(sessions::expires_at.gt(At(now)))
        .filter(not(key_revoked!(sessions)));
    let opened = PreparedQuery(diesel::update(fresh).set(sessions::used_at.eq(Some(At(now))))).execute(c).await? == 1;
    let Some(session) = session_by_digest(c, &digest).await? else { return Ok(None) };
    if !opened {
        return Ok(Some(OpenedSession { session, browser_session: None }));
    }
    let visit = BrowserSession {
        digest: visit_digest,
        card_id: session.card_id,
        target: session.target,
        created_at: now,
        seen_at: now,
        key_id: session.key_id,
    };
    open_visit(c, visit.clone()).await?;
    Ok(Some(OpenedSession { session, browser_session: Some(visit) }))
}

pub(in crate::store) async fn open_visit(c: &mut Conn, visit: BrowserSession) -> Result<(), StoreError> {
    diesel::insert_into(visits::table).values(VisitRow::from(visit)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn visit(c: &mut Conn, digest: &[u8; 32]) -> Result<Option<BrowserSession>, StoreError> {
    let one = visits::table.filter(visits::digest.eq(digest.as_slice())).filter(not(key_revoked!(visits)));
    Ok(one.select(VisitRow::as_select()).get_result(c).await.optional()?.map(BrowserSession::from))
}

pub(in crate::store) async fn touch_visit(c: &mut Conn, digest: [u8; 32], now: Timestamp) -> Result<(), StoreError> {
    let one = visits::table.filter(visits::digest.eq(digest.to_vec()));
    PreparedQuery(diesel::update(one).set(visits::seen_at.eq(At(now)))).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn delete_expired_visits(c: &mut Conn, before: Timestamp) -> Result<usize, StoreError> {
    Ok(diesel::delete(visits::table.filter(visits::created_at.lt(At(before)))).execute(c).await?)
}

pub(in crate::store) async fn session_key_is_revoked(c: &mut Conn, digest: [u8; 32]) -> Result<bool, StoreError> {
    let ended = sessions::table.filter(sessions::digest.eq(digest.to_vec())).filter(key_revoked!(sessions));
    Ok(ended.select(sessions::card_id).get_result::<Id>(c).await.optional()?.is_some())
}

pub(in crate::store) async fn open_sessions(
    c: &mut Conn,
    of: SessionsOf,
    now: Timestamp,
) -> Result<Vec<OpenSession>, StoreError> {
    let mut open = open_links(c, of, now).await?;
    open.extend(open_visits(c, of, now).await?);
    Ok(open)
}

/// Links before visits: a link that is opened meanwhile is then found as a visit.
pub(in crate::store) async fn end_sessions(c: &mut Conn, of: SessionsOf, now: Timestamp) -> Result<usize, StoreError> {
    let mut ended = 0;
    for link in open_links(c, of, now).await? {
        let unused =
            sessions::table.filter(sessions::digest.eq(Digest(link.digest))).filter(sessions::used_at.is_null());
        ended += PreparedQuery(diesel::update(unused).set(sessions::expires_at.eq(At(now)))).execute(c).await?;
    }
    for visit in open_visits(c, of, now).await? {
        ended += diesel::delete(visits::table.filter(visits::digest.eq(Digest(visit.digest)))).execute(c).await?;
    }
    Ok(ended)
}

async fn open_links(c: &mut Conn, of: SessionsOf, now: Timestamp) -> Result<Vec<OpenSession>, StoreError> {
    let fresh = sessions::table.filter(sessions::used_at.is_null()).filter(sessions::expires_at.gt(At(now)));
    let fresh = fresh.filter(not(key_revoked!(sessions))).into_boxed::<Db>();
    let meant = match of {
        SessionsOf::Card(id) => fresh.filter(sessions::card_id.eq(Id(id))),
        SessionsOf::Key(id) => fresh.filter(sessions::key_id.eq(Some(Id(id)))),
        SessionsOf::Partner(id) => {
            let theirs = cards::table.filter(cards::partner_id.eq(Id(id))).select(cards::id);
            fresh.filter(sessions::card_id.eq_any(theirs))
        }
        SessionsOf::One(id) => {
            let (first, last) = id.range();
            fresh.filter(sessions::digest.ge(Digest(first))).filter(sessions::digest.le(Digest(last)))
        }
    };
    let rows: Vec<SessionRow> = meant.select(SessionRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(|row| SessionLink::from(row).into()).collect())
}

async fn open_visits(c: &mut Conn, of: SessionsOf, now: Timestamp) -> Result<Vec<OpenSession>, StoreError> {
    let young = visits::table.filter(visits::created_at.gt(At(now.before(limits::VISIT_TOTAL))));
    let young = young.filter(not(key_revoked!(visits))).into_boxed::<Db>();
    let meant = match of {
        SessionsOf::Card(id) => young.filter(visits::card_id.eq(Id(id))),
        SessionsOf::Key(id) => young.filter(visits::key_id.eq(Some(Id(id)))),
        SessionsOf::Partner(id) => {
            let theirs = cards::table.filter(cards::partner_id.eq(Id(id))).select(cards::id);
            young.filter(visits::card_id.eq_any(theirs))
        }
        SessionsOf::One(id) => {
            let (first, last) = id.range();
            young.filter(visits::digest.ge(Digest(first))).filter(visits::digest.le(Digest(last)))
        }
    };
    let rows: Vec<VisitRow> = meant.select(VisitRow::as_select()).load(c).await?;
    let open = rows.into_iter().map(BrowserSession::from).filter(|visit| visit.is_open_at(now));
    Ok(open.map(OpenSession::from).collect())
}
