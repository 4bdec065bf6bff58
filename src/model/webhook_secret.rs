//! The secrets of a partner over time: how long each one signs (decisions W2).

use uuid::Uuid;

use super::SigningSecret;
use crate::base::Timestamp;

/// A secret and its life. While two are active, both sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSecret {
    pub id: Uuid,
    pub partner_id: Uuid,
    pub secret: SigningSecret,
    pub created_at: Timestamp,
    /// When a rotation ends its life.
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl WebhookSecret {
    /// Whether notifications that are sent at `now` are signed with it.
    pub fn is_active_at(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}
