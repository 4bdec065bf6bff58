//! The operator's links to the administration and the sessions that they opened (decisions S11, S12).

use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::AdminSession;

store_methods! {
    /// Adds a link.
    pub write add_admin_link(link: AdminSession) -> Result<(), StoreError>;
    /// Opens a session, unless the link is unknown, was opened before, was ended, or has expired at `now`. Returns whether it did.
    pub write open_admin_link(link: [u8; 32], cookie: [u8; 32], now: Timestamp) -> Result<bool, StoreError>;
    /// Returns the session with this cookie, open or not.
    pub read admin_session(cookie: [u8; 32]) -> Result<Option<AdminSession>, StoreError>;
    /// Returns the links, with their sessions, newest first.
    pub read admin_sessions() -> Result<Vec<AdminSession>, StoreError>;
    /// Records that a session was used. Callers skip this while the last record is recent.
    pub write touch_admin_session(id: Uuid, now: Timestamp) -> Result<(), StoreError>;
    /// Ends a link or session. Returns false if it was ended before, which is not audited.
    pub write end_admin_session(id: Uuid, now: Timestamp) -> Result<bool, StoreError>;
    /// Counts the links, with their sessions, that expired before a time.
    pub read admin_sessions_before(before: Timestamp) -> Result<i64, StoreError>;
    /// Deletes them, and counts them.
    pub write delete_admin_sessions_before(before: Timestamp) -> Result<usize, StoreError>;
}
