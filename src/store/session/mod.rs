//! One-time session links and the browser sessions that they open (table `visits`), of families and of the operator (decisions S2,
//! S11, S12).

use uuid::Uuid;

use super::audit::{always, if_any, if_true};
use super::database::{Unit, query};
use super::row::{Column, row};
use super::schema::{admin_sessions, sessions, visits};
use super::sql_type::{At, Digest, Id, Name};
use super::{Result, Store};
use crate::base::Timestamp;
use crate::model::{AdminSession, BrowserSession, OpenSession, SessionLink, SessionSelection, SessionTarget};

/// The result of redeeming a session link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedSession {
    /// The link, in its state afterwards.
    pub session: SessionLink,
    /// The new browser session; `None` if the link was used before, or has expired.
    pub browser_session: Option<BrowserSession>,
}

impl Store {
    /// Adds a session link.
    pub async fn add_session_link(&self, session: SessionLink) -> Result<()> {
        query!(self.write(Unit::Statement, always), add_session_link(session))
    }

    /// Returns the session link with this digest, used or not.
    pub async fn session_link(&self, digest: &[u8; 32]) -> Result<Option<SessionLink>> {
        query!(self.read(), session_link(digest))
    }

    /// Returns whether the key that made the link with this digest is revoked.
    pub async fn session_key_is_revoked(&self, digest: [u8; 32]) -> Result<bool> {
        query!(self.read(), session_key_is_revoked(digest))
    }

    /// Marks a session link as used and opens a browser session, unless the link was used before, has expired at `now`,
    /// or its key is revoked.
    pub async fn redeem_session(
        &self,
        digest: [u8; 32],
        browser_digest: [u8; 32],
        now: Timestamp,
    ) -> Result<Option<OpenedSession>> {
        query!(self.write(Unit::Transaction, Option::is_some), redeem_session(digest, browser_digest, now))
    }

    /// Adds a browser session without a session link: for links that work more than once.
    pub async fn add_browser_session(&self, session: BrowserSession) -> Result<()> {
        query!(self.write(Unit::Statement, always), add_browser_session(session))
    }

    /// Returns the browser session with this digest, open or not, unless the key that made its link is revoked.
    pub async fn browser_session(&self, digest: &[u8; 32]) -> Result<Option<BrowserSession>> {
        query!(self.read(), browser_session(digest))
    }

    /// Records that a browser session was used. Callers skip this while the last record is recent.
    pub async fn touch_browser_session(&self, digest: [u8; 32], now: Timestamp) -> Result<()> {
        query!(self.write(Unit::Statement, always), touch_browser_session(digest, now))
    }

    /// Returns the unused links and the browser sessions that are open at `now`.
    pub async fn open_sessions(&self, of: SessionSelection, now: Timestamp) -> Result<Vec<OpenSession>> {
        query!(self.read(), open_sessions(of, now))
    }

    /// Ends them, and counts them.
    pub async fn revoke_sessions(&self, of: SessionSelection, now: Timestamp) -> Result<usize> {
        query!(self.write(Unit::Transaction, if_any), revoke_sessions(of, now))
    }

    /// Deletes the browser sessions that were opened before this time, and counts them.
    pub async fn delete_expired_browser_sessions(&self, before: Timestamp) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_expired_browser_sessions(before))
    }

    /// Adds a link.
    pub async fn add_admin_link(&self, link: AdminSession) -> Result<()> {
        query!(self.write(Unit::Statement, always), add_admin_link(link))
    }

    /// Opens a session, unless the link is unknown, was opened before, was ended, or has expired at `now`. Returns whether it did.
    pub async fn open_admin_link(&self, link: [u8; 32], cookie: [u8; 32], now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), open_admin_link(link, cookie, now))
    }

    /// Returns the session with this cookie, open or not.
    pub async fn admin_session(&self, cookie: [u8; 32]) -> Result<Option<AdminSession>> {
        query!(self.read(), admin_session(cookie))
    }

    /// Returns the links, with their sessions, newest first.
    pub async fn admin_sessions(&self) -> Result<Vec<AdminSession>> {
        query!(self.read(), admin_sessions())
    }

    /// Records that a session was used. Callers skip this while the last record is recent.
    pub async fn touch_admin_session(&self, id: Uuid, now: Timestamp) -> Result<()> {
        query!(self.write(Unit::Statement, always), touch_admin_session(id, now))
    }

    /// Ends a link or session. Returns false if it was ended before, which is not audited.
    pub async fn end_admin_session(&self, id: Uuid, now: Timestamp) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), end_admin_session(id, now))
    }

    /// Counts the links, with their sessions, that expired before a time.
    pub async fn admin_sessions_before(&self, before: Timestamp) -> Result<i64> {
        query!(self.read(), admin_sessions_before(before))
    }

    /// Deletes them, and counts them.
    pub async fn delete_admin_sessions_before(&self, before: Timestamp) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_admin_sessions_before(before))
    }

    /// Counts the session links that ended before a time.
    pub async fn session_links_before(&self, before: Timestamp) -> Result<i64> {
        query!(self.read(), session_links_before(before))
    }

    /// Deletes at most so many of the session links that ended before a time, and counts them.
    pub async fn delete_session_links_before(&self, before: Timestamp, at_most: i64) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_session_links_before(before, at_most))
    }
}

row!(SessionRow in sessions is SessionLink {
    digest: Digest,
    card_id: Id,
    target: Name<SessionTarget>,
    created_at: At,
    expires_at: At,
    used_at: Option<At>,
    key_id: Option<Id>
});

row!(BrowserSessionRow in visits is BrowserSession {
    digest: Digest,
    card_id: Id,
    target: Name<SessionTarget>,
    created_at: At,
    seen_at: At,
    key_id: Option<Id>
});

row!(AdminSessionRow in admin_sessions is AdminSession {
    id: Id,
    link: Digest,
    operator: String,
    created_at: At,
    expires_at: At,
    opened_at: Option<At>,
    cookie: Option<Digest>,
    seen_at: Option<At>,
    ended_at: Option<At>
});
