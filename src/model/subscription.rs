//! Webhook subscriptions (specification, section 2.8).

use uuid::Uuid;

use super::{SubscriptionHealth, Topic};
use crate::base::{HttpUrl, Timestamp};

/// An address that follows a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookSubscription {
    pub id: Uuid,
    pub partner_id: Uuid,
    pub topic: Topic,
    /// As the partner wrote it. Unique per partner and topic in its normalised form.
    pub callback_url: HttpUrl,
    /// The version on whose path the subscription was made: its notifications are rendered in it (decisions W1).
    pub api_version: String,
    /// Made with a test key: it gets notifications of test cards only (decisions K3).
    pub test: bool,
    pub created_at: Timestamp,
    /// When its partner last changed it.
    pub updated_at: Timestamp,
    pub health: SubscriptionHealth,
}
