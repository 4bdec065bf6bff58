//! Webhook subscriptions (specification, section 2.8).

use uuid::Uuid;

use super::{KeyMode, SubscriptionHealth, Topic};
use crate::base::{HttpUrl, Timestamp};

/// A subscription of a URL to a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSubscription {
    pub id: Uuid,
    pub partner_id: Uuid,
    pub topic: Topic,
    /// As the partner wrote it. Unique for each partner and topic in its normalised form.
    pub callback_url: HttpUrl,
    /// The API version of the request that created the subscription, in which its notifications are rendered (decisions W1).
    pub api_version: String,
    /// Created with a test key: receives notifications of test cards only (decisions K3).
    pub test: bool,
    pub created_at: Timestamp,
    /// When it was last changed by its partner, paused or resumed (decisions W7).
    pub updated_at: Timestamp,
    /// The partner's own name for it (version 2027-01).
    pub name: Option<String>,
    pub health: SubscriptionHealth,
}

impl WebhookSubscription {
    /// The mode of the key that made it, whose signing secrets sign its notifications (decisions W10).
    pub fn mode(&self) -> KeyMode {
        KeyMode::of(self.test)
    }
}
