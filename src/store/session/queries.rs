//! Session links and browser sessions, of families and of the operator.

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, Db, Result, RunQueryDsl};
use crate::base::{Timestamp, limits};
use crate::model::{AdminSession, BrowserSession, OpenSession, SessionLink, SessionSelection};
use crate::store::OpenedSession;
use crate::store::prepared_query::prepared;
use crate::store::schema::admin_sessions::{self, dsl};
use crate::store::schema::{access_keys, cards, sessions, visits};
use crate::store::session::{AdminSessionRow, BrowserSessionRow, SessionRow};
use crate::store::sql_type::{At, Digest, Id};

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

pub(crate) async fn add_session_link(c: &mut Conn<'_>, session: SessionLink) -> Result<()> {
    diesel::insert_into(sessions::table).values(SessionRow::from(session)).perform(c).await?;
    Ok(())
}

pub(crate) async fn session_link(c: &mut Conn<'_>, digest: &[u8; 32]) -> Result<Option<SessionLink>> {
    let one = sessions::table.filter(sessions::digest.eq(digest.as_slice()));
    let row = one.select(SessionRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(SessionLink::from))
}

/// One statement checks and marks the link, so that only one replica can redeem it.
pub(crate) async fn redeem_session(
    c: &mut Conn<'_>,
    digest: [u8; 32],
    browser_digest: [u8; 32],
    now: Timestamp,
) -> Result<Option<OpenedSession>> {
    let fresh = sessions::table
        .filter(sessions::digest.eq(digest.to_vec()))
        .filter(sessions::used_at.is_null())
        .filter(sessions::expires_at.gt(At(now)))
        .filter(not(key_revoked!(sessions)));
    let opened = prepared!(diesel::update(fresh).set(sessions::used_at.eq(Some(At(now))))).execute(c).await? == 1;
    let Some(session) = session_link(c, &digest).await? else { return Ok(None) };
    if !opened {
        return Ok(Some(OpenedSession { session, browser_session: None }));
    }
    let browser_session = BrowserSession {
        digest: browser_digest,
        card_id: session.card_id,
        target: session.target,
        created_at: now,
        seen_at: now,
        key_id: session.key_id,
    };
    add_browser_session(c, browser_session.clone()).await?;
    Ok(Some(OpenedSession { session, browser_session: Some(browser_session) }))
}

pub(crate) async fn add_browser_session(c: &mut Conn<'_>, session: BrowserSession) -> Result<()> {
    diesel::insert_into(visits::table).values(BrowserSessionRow::from(session)).perform(c).await?;
    Ok(())
}

pub(crate) async fn browser_session(c: &mut Conn<'_>, digest: &[u8; 32]) -> Result<Option<BrowserSession>> {
    let one = visits::table.filter(visits::digest.eq(digest.as_slice())).filter(not(key_revoked!(visits)));
    Ok(one.select(BrowserSessionRow::as_select()).get_result(c).await.optional()?.map(BrowserSession::from))
}

pub(crate) async fn touch_browser_session(c: &mut Conn<'_>, digest: [u8; 32], now: Timestamp) -> Result<()> {
    let one = visits::table.filter(visits::digest.eq(digest.to_vec()));
    prepared!(diesel::update(one).set(visits::seen_at.eq(At(now)))).perform(c).await?;
    Ok(())
}

pub(crate) async fn delete_expired_browser_sessions(c: &mut Conn<'_>, before: Timestamp) -> Result<usize> {
    Ok(diesel::delete(visits::table.filter(visits::created_at.lt(At(before)))).execute(c).await?)
}

pub(crate) async fn session_key_is_revoked(c: &mut Conn<'_>, digest: [u8; 32]) -> Result<bool> {
    let ended = sessions::table.filter(sessions::digest.eq(digest.to_vec())).filter(key_revoked!(sessions));
    Ok(ended.select(sessions::card_id).get_result::<Id>(c).await.optional()?.is_some())
}

pub(crate) async fn open_sessions(c: &mut Conn<'_>, of: SessionSelection, now: Timestamp) -> Result<Vec<OpenSession>> {
    let mut open = open_links(c, of, now).await?;
    open.extend(open_browser_sessions(c, of, now).await?);
    Ok(open)
}

/// Links before browser sessions: a link that is redeemed meanwhile is then found as a browser session.
pub(crate) async fn revoke_sessions(c: &mut Conn<'_>, of: SessionSelection, now: Timestamp) -> Result<usize> {
    let mut ended = 0;
    for link in open_links(c, of, now).await? {
        let unused =
            sessions::table.filter(sessions::digest.eq(Digest(link.digest))).filter(sessions::used_at.is_null());
        ended += prepared!(diesel::update(unused).set(sessions::expires_at.eq(At(now)))).execute(c).await?;
    }
    for session in open_browser_sessions(c, of, now).await? {
        ended += diesel::delete(visits::table.filter(visits::digest.eq(Digest(session.digest)))).execute(c).await?;
    }
    Ok(ended)
}

async fn open_links(c: &mut Conn<'_>, of: SessionSelection, now: Timestamp) -> Result<Vec<OpenSession>> {
    let fresh = sessions::table.filter(sessions::used_at.is_null()).filter(sessions::expires_at.gt(At(now)));
    let fresh = fresh.filter(not(key_revoked!(sessions))).into_boxed::<Db>();
    let meant = match of {
        SessionSelection::Card(id) => fresh.filter(sessions::card_id.eq(Id(id))),
        SessionSelection::Key(id) => fresh.filter(sessions::key_id.eq(Some(Id(id)))),
        SessionSelection::Partner(id) => {
            let theirs = cards::table.filter(cards::partner_id.eq(Id(id))).select(cards::id);
            fresh.filter(sessions::card_id.eq_any(theirs))
        }
        SessionSelection::One(id) => {
            let (first, last) = id.range();
            fresh.filter(sessions::digest.ge(Digest(first))).filter(sessions::digest.le(Digest(last)))
        }
    };
    let rows: Vec<SessionRow> = meant.select(SessionRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(|row| SessionLink::from(row).into()).collect())
}

async fn open_browser_sessions(c: &mut Conn<'_>, of: SessionSelection, now: Timestamp) -> Result<Vec<OpenSession>> {
    let young = visits::table.filter(visits::created_at.gt(At(now.before(limits::BROWSER_SESSION_TOTAL))));
    let young = young.filter(not(key_revoked!(visits))).into_boxed::<Db>();
    let meant = match of {
        SessionSelection::Card(id) => young.filter(visits::card_id.eq(Id(id))),
        SessionSelection::Key(id) => young.filter(visits::key_id.eq(Some(Id(id)))),
        SessionSelection::Partner(id) => {
            let theirs = cards::table.filter(cards::partner_id.eq(Id(id))).select(cards::id);
            young.filter(visits::card_id.eq_any(theirs))
        }
        SessionSelection::One(id) => {
            let (first, last) = id.range();
            young.filter(visits::digest.ge(Digest(first))).filter(visits::digest.le(Digest(last)))
        }
    };
    let rows: Vec<BrowserSessionRow> = meant.select(BrowserSessionRow::as_select()).load(c).await?;
    let open = rows.into_iter().map(BrowserSession::from).filter(|session| session.is_open_at(now));
    Ok(open.map(OpenSession::from).collect())
}

pub(crate) async fn session_links_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64> {
    Ok(sessions::table.filter(sessions::expires_at.lt(At(before))).count().get_result(c).await?)
}

pub(crate) async fn delete_session_links_before(c: &mut Conn<'_>, before: Timestamp, at_most: i64) -> Result<usize> {
    let old = sessions::table.filter(sessions::expires_at.lt(At(before))).order(sessions::expires_at);
    // The time of the last one of a batch: links have no id that a list of them could name.
    let last: Option<At> =
        old.select(sessions::expires_at).offset(at_most - 1).limit(1).get_result(c).await.optional()?;
    let end = last.unwrap_or(At(before));
    let ended = sessions::table.filter(sessions::expires_at.lt(At(before))).filter(sessions::expires_at.le(end));
    Ok(diesel::delete(ended).execute(c).await?)
}

pub(crate) async fn add_admin_link(c: &mut Conn<'_>, link: AdminSession) -> Result<()> {
    diesel::insert_into(admin_sessions::table).values(AdminSessionRow::from(link)).perform(c).await?;
    Ok(())
}

/// One statement checks and marks the link, so that only one replica can open it.
pub(crate) async fn open_admin_link(
    c: &mut Conn<'_>,
    link: [u8; 32],
    cookie: [u8; 32],
    now: Timestamp,
) -> Result<bool> {
    let fresh = admin_sessions::table
        .filter(dsl::link.eq(Digest(link)))
        .filter(dsl::opened_at.is_null())
        .filter(dsl::ended_at.is_null())
        .filter(dsl::expires_at.gt(At(now)));
    let opened =
        (dsl::opened_at.eq(Some(At(now))), dsl::seen_at.eq(Some(At(now))), dsl::cookie.eq(Some(Digest(cookie))));
    Ok(diesel::update(fresh).set(opened).execute(c).await? == 1)
}

pub(crate) async fn admin_session(c: &mut Conn<'_>, cookie: [u8; 32]) -> Result<Option<AdminSession>> {
    let one = admin_sessions::table.filter(dsl::cookie.eq(Some(Digest(cookie))));
    Ok(one.select(AdminSessionRow::as_select()).get_result(c).await.optional()?.map(AdminSession::from))
}

pub(crate) async fn admin_sessions(c: &mut Conn<'_>) -> Result<Vec<AdminSession>> {
    let newest_first = admin_sessions::table.order((dsl::expires_at.desc(), dsl::id.desc()));
    let rows: Vec<AdminSessionRow> = newest_first.select(AdminSessionRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(AdminSession::from).collect())
}

pub(crate) async fn touch_admin_session(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<()> {
    let one = admin_sessions::table.filter(dsl::id.eq(Id(id)));
    diesel::update(one).set(dsl::seen_at.eq(Some(At(now)))).perform(c).await?;
    Ok(())
}

pub(crate) async fn end_admin_session(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<bool> {
    let one = admin_sessions::table.filter(dsl::id.eq(Id(id))).filter(dsl::ended_at.is_null());
    Ok(diesel::update(one).set(dsl::ended_at.eq(Some(At(now)))).execute(c).await? == 1)
}

pub(crate) async fn admin_sessions_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64> {
    Ok(admin_sessions::table.filter(dsl::expires_at.lt(At(before))).count().get_result(c).await?)
}

/// In one statement: there are a few for each day and operator.
pub(crate) async fn delete_admin_sessions_before(c: &mut Conn<'_>, before: Timestamp) -> Result<usize> {
    Ok(diesel::delete(admin_sessions::table.filter(dsl::expires_at.lt(At(before)))).execute(c).await?)
}
