//! One-time session links, and the browser sessions (table `visits`) that they open (decisions S1, S2).

use diesel::dsl::{exists, not};
use diesel::prelude::*;

use super::{Conn, Db, RunQueryDsl};
use crate::base::{Timestamp, limits};
use crate::model::{BrowserSession, OpenSession, SessionLink, SessionSelection};
use crate::store::prepared_query::prepared;
use crate::store::row::{BrowserSessionRow, SessionRow};
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

pub(in crate::store) async fn add_session_link(c: &mut Conn<'_>, session: SessionLink) -> Result<(), StoreError> {
    diesel::insert_into(sessions::table).values(SessionRow::from(session)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn session_link(
    c: &mut Conn<'_>,
    digest: &[u8; 32],
) -> Result<Option<SessionLink>, StoreError> {
    let one = sessions::table.filter(sessions::digest.eq(digest.as_slice()));
    let row = one.select(SessionRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(SessionLink::from))
}

/// One statement checks and marks the link, so that only one replica can redeem it.
pub(in crate::store) async fn redeem_session(
    c: &mut Conn<'_>,
    digest: [u8; 32],
    browser_digest: [u8; 32],
    now: Timestamp,
) -> Result<Option<OpenedSession>, StoreError> {
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

pub(in crate::store) async fn add_browser_session(c: &mut Conn<'_>, session: BrowserSession) -> Result<(), StoreError> {
    diesel::insert_into(visits::table).values(BrowserSessionRow::from(session)).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn browser_session(
    c: &mut Conn<'_>,
    digest: &[u8; 32],
) -> Result<Option<BrowserSession>, StoreError> {
    let one = visits::table.filter(visits::digest.eq(digest.as_slice())).filter(not(key_revoked!(visits)));
    Ok(one.select(BrowserSessionRow::as_select()).get_result(c).await.optional()?.map(BrowserSession::from))
}

pub(in crate::store) async fn touch_browser_session(
    c: &mut Conn<'_>,
    digest: [u8; 32],
    now: Timestamp,
) -> Result<(), StoreError> {
    let one = visits::table.filter(visits::digest.eq(digest.to_vec()));
    prepared!(diesel::update(one).set(visits::seen_at.eq(At(now)))).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn delete_expired_browser_sessions(
    c: &mut Conn<'_>,
    before: Timestamp,
) -> Result<usize, StoreError> {
    Ok(diesel::delete(visits::table.filter(visits::created_at.lt(At(before)))).execute(c).await?)
}

pub(in crate::store) async fn session_key_is_revoked(c: &mut Conn<'_>, digest: [u8; 32]) -> Result<bool, StoreError> {
    let ended = sessions::table.filter(sessions::digest.eq(digest.to_vec())).filter(key_revoked!(sessions));
    Ok(ended.select(sessions::card_id).get_result::<Id>(c).await.optional()?.is_some())
}

pub(in crate::store) async fn open_sessions(
    c: &mut Conn<'_>,
    of: SessionSelection,
    now: Timestamp,
) -> Result<Vec<OpenSession>, StoreError> {
    let mut open = open_links(c, of, now).await?;
    open.extend(open_browser_sessions(c, of, now).await?);
    Ok(open)
}

/// Links before browser sessions: a link that is redeemed meanwhile is then found as a browser session.
pub(in crate::store) async fn revoke_sessions(
    c: &mut Conn<'_>,
    of: SessionSelection,
    now: Timestamp,
) -> Result<usize, StoreError> {
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

async fn open_links(c: &mut Conn<'_>, of: SessionSelection, now: Timestamp) -> Result<Vec<OpenSession>, StoreError> {
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

async fn open_browser_sessions(
    c: &mut Conn<'_>,
    of: SessionSelection,
    now: Timestamp,
) -> Result<Vec<OpenSession>, StoreError> {
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
