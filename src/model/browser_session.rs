//! What a browser holds once it has opened a session link (decisions S2).

use uuid::Uuid;

use super::SessionTarget;
use crate::base::{Timestamp, limits};

/// A browser's access to one environment of one card, as it is stored: never the cookie itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSession {
    /// SHA-256 of the cookie's value.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub created_at: Timestamp,
    /// When it was last used, to within [`limits::VISIT_SEEN_RECORDED`].
    pub seen_at: Timestamp,
    /// The key that made the session link; none where an order mail's link opened it. It ends when that key is revoked.
    pub key_id: Option<Uuid>,
}

impl BrowserSession {
    /// Whether it still opens the environment at `now`: not idle for too long, and not too old.
    pub fn is_open_at(&self, now: Timestamp) -> bool {
        now < self.created_at.after(limits::VISIT_TOTAL) && now < self.seen_at.after(limits::VISIT_IDLE)
    }

    /// Whether its use is worth noting again.
    pub fn is_stale_at(&self, now: Timestamp) -> bool {
        now >= self.seen_at.after(limits::VISIT_SEEN_RECORDED)
    }
}
