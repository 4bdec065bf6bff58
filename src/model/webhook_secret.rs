//! The signing secrets of a partner over time (decisions W2).

use uuid::Uuid;

use super::SigningSecret;
use crate::base::Timestamp;

/// A secret and its validity. While two are active, both sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSecret {
    pub id: Uuid,
    pub partner_id: Uuid,
    pub secret: SigningSecret,
    pub created_at: Timestamp,
    /// When the secret ends after a rotation.
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl WebhookSecret {
    /// Whether notifications sent at `now` are signed with the secret.
    pub fn is_active_at(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}
