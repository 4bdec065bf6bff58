//! One-time session links, and the browser sessions (table `visits`) that they open (decisions S2).

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{BrowserSession, OpenSession, SessionLink, SessionSelection};

/// The result of redeeming a session link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedSession {
    /// The link, in its state afterwards.
    pub session: SessionLink,
    /// The new browser session; `None` if the link was used before, or has expired.
    pub browser_session: Option<BrowserSession>,
}

store_methods! {
    /// Adds a session link.
    pub write add_session_link(session: SessionLink) -> Result<(), StoreError>;
    /// Returns the session link with this digest, used or not.
    pub read session_link(digest: &[u8; 32]) -> Result<Option<SessionLink>, StoreError>;
    /// Returns whether the key that made the link with this digest is revoked.
    pub read session_key_is_revoked(digest: [u8; 32]) -> Result<bool, StoreError>;
    /// Marks a session link as used and opens a browser session, unless the link was used before, has expired at `now`,
    /// or its key is revoked.
    pub transaction redeem_session(digest: [u8; 32], browser_digest: [u8; 32], now: Timestamp)
        -> Result<Option<OpenedSession>, StoreError>;
    /// Adds a browser session without a session link: for links that work more than once.
    pub write add_browser_session(session: BrowserSession) -> Result<(), StoreError>;
    /// Returns the browser session with this digest, open or not, unless the key that made its link is revoked.
    pub read browser_session(digest: &[u8; 32]) -> Result<Option<BrowserSession>, StoreError>;
    /// Records that a browser session was used. Callers skip this while the last record is recent.
    pub write touch_browser_session(digest: [u8; 32], now: Timestamp) -> Result<(), StoreError>;
    /// Returns the unused links and the browser sessions that are open at `now`.
    pub read open_sessions(of: SessionSelection, now: Timestamp) -> Result<Vec<OpenSession>, StoreError>;
    /// Ends them, and counts them.
    pub transaction revoke_sessions(of: SessionSelection, now: Timestamp) -> Result<usize, StoreError>;
    /// Deletes the browser sessions that were opened before this time, and counts them.
    pub write delete_expired_browser_sessions(before: Timestamp) -> Result<usize, StoreError>;
}
