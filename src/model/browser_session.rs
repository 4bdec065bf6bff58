//! Browser sessions, opened by a session link (decisions S2).

use uuid::Uuid;

use super::SessionTarget;
use crate::base::{Timestamp, limits};

/// The access of a browser to one environment of one card, without the cookie itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSession {
    /// SHA-256 of the cookie's value.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub created_at: Timestamp,
    /// When it was last used, to within [`limits::VISIT_SEEN_RECORDED`].
    pub seen_at: Timestamp,
    /// The key that created the session link; `None` if the link of an order mail opened it. The session ends when the key
    /// is revoked.
    pub key_id: Option<Uuid>,
}

impl BrowserSession {
    /// Whether the session is open at `now`: neither idle for too long nor too old.
    pub fn is_open_at(&self, now: Timestamp) -> bool {
        now < self.created_at.after(limits::VISIT_TOTAL) && now < self.seen_at.after(limits::VISIT_IDLE)
    }

    /// Whether `seen_at` is old enough to be written again.
    pub fn is_stale_at(&self, now: Timestamp) -> bool {
        now >= self.seen_at.after(limits::VISIT_SEEN_RECORDED)
    }
}
