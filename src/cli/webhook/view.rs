//! The JSON of `webhook … --json`; see `cli/view.rs` for its rules.

use serde::Serialize;

use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{Attempt, AttemptOutcome, Delivery, KeyMode, Partner, WebhookSecret, event_name};
use crate::operation::webhook::inspect::SubscriptionSummary;
use crate::operation::webhook::secret::fingerprint;

/// A secret without its text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli) struct SecretView {
    pub id: String,
    /// The name of the partner.
    pub partner: String,
    pub fingerprint: String,
    /// `active`, `ended` (by a rotation) or `revoked`.
    pub state: &'static str,
    pub created_at: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
    /// The modes of subscriptions whose notifications it signs now: `live`, `test`.
    pub signs: Vec<&'static str>,
    /// When it ends for one mode after a rotation by the partner.
    pub live_ends_at: Option<String>,
    pub test_ends_at: Option<String>,
}

impl SecretView {
    pub(in crate::cli) fn new(partner: &Partner, secret: &WebhookSecret, now: Timestamp) -> Self {
        let state = match secret {
            WebhookSecret { revoked_at: Some(_), .. } => "revoked",
            secret if secret.is_active_at(now) => "active",
            _ => "ended",
        };
        Self {
            id: secret.id.to_string(),
            partner: partner.name.clone(),
            fingerprint: fingerprint(&secret.secret),
            state,
            created_at: secret.created_at.to_string(),
            expires_at: secret.expires_at.map(|moment| moment.to_string()),
            revoked_at: secret.revoked_at.map(|moment| moment.to_string()),
            signs: KeyMode::ALL.into_iter().filter(|mode| secret.signs(*mode, now)).map(KeyMode::as_str).collect(),
            live_ends_at: secret.live_ends_at.map(|moment| moment.to_string()),
            test_ends_at: secret.test_ends_at.map(|moment| moment.to_string()),
        }
    }

    /// When it ends: for all subscriptions, or for those of one mode.
    pub(super) fn ends(&self) -> String {
        let ends = [("", &self.expires_at), ("live: ", &self.live_ends_at), ("test: ", &self.test_ends_at)];
        let ends = ends.into_iter().filter_map(|(mode, end)| Some(format!("{mode}{}", end.as_ref()?)));
        ends.collect::<Vec<_>>().join(", ")
    }
}

/// A subscription and its state.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubscriptionView {
    /// The global id.
    pub id: String,
    /// The name of the partner.
    pub partner: String,
    pub topic: &'static str,
    pub callback_url: String,
    pub api_version: String,
    /// Created with a test key: receives notifications of test cards only.
    pub test: bool,
    /// `sending`, `failing` or `paused`.
    pub state: &'static str,
    pub paused_at: Option<String>,
    /// `FAILURES` or `GONE`.
    pub pause_reason: Option<&'static str>,
    pub failing_since: Option<String>,
    /// The number of failed attempts since the last success.
    pub failure_count: i64,
    /// The number of pending notifications.
    pub pending: i64,
    /// The number of failed notifications.
    pub failed: i64,
    pub created_at: String,
}

impl From<&SubscriptionSummary> for SubscriptionView {
    fn from(summary: &SubscriptionSummary) -> Self {
        let SubscriptionSummary { partner, subscription, pending, failed } = summary;
        let health = subscription.health;
        let state = match (health.pause, health.failing_since) {
            (Some(_), _) => "paused",
            (None, Some(_)) => "failing",
            (None, None) => "sending",
        };
        Self {
            id: GlobalId::new(Kind::WebhookSubscription, subscription.id).to_string(),
            partner: partner.name.clone(),
            topic: subscription.topic.as_str(),
            callback_url: subscription.callback_url.to_string(),
            api_version: subscription.api_version.clone(),
            test: subscription.test,
            state,
            paused_at: health.pause.map(|pause| pause.at.to_string()),
            pause_reason: health.pause.map(|pause| pause.reason.as_str()),
            failing_since: health.failing_since.map(|moment| moment.to_string()),
            failure_count: health.failure_count,
            pending: *pending,
            failed: *failed,
            created_at: subscription.created_at.to_string(),
        }
    }
}

/// A notification for one subscription, without its body.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeliveryView {
    pub id: String,
    /// `evt_…`, as the receiver knows it.
    pub event: String,
    /// The global id of the subscription.
    pub subscription: String,
    /// The global id of the card.
    pub card: String,
    pub topic: &'static str,
    pub sequence: i64,
    pub test: bool,
    /// `WAITING`, `DUE`, `DELIVERED` or `FAILED`.
    pub state: &'static str,
    pub attempts: i64,
    pub due_at: Option<String>,
    pub finished_at: Option<String>,
    pub created_at: String,
}

impl From<&Delivery> for DeliveryView {
    fn from(delivery: &Delivery) -> Self {
        Self {
            id: delivery.id.to_string(),
            event: event_name(delivery.event_id),
            subscription: GlobalId::new(Kind::WebhookSubscription, delivery.subscription_id).to_string(),
            card: GlobalId::new(Kind::Card, delivery.card_id).to_string(),
            topic: delivery.topic.as_str(),
            sequence: delivery.sequence,
            test: delivery.test,
            state: delivery.state.as_str(),
            attempts: delivery.attempt_count,
            due_at: delivery.due_at.map(|moment| moment.to_string()),
            finished_at: delivery.finished_at.map(|moment| moment.to_string()),
            created_at: delivery.created_at.to_string(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttemptView {
    pub number: i64,
    pub started_at: String,
    pub duration_ms: i64,
    /// The status of the response.
    pub status: Option<u16>,
    /// Why there was no response: `NO_CONNECTION`, `TIME_OUT` or `REFUSED`.
    pub failure: Option<&'static str>,
}

impl From<&Attempt> for AttemptView {
    fn from(attempt: &Attempt) -> Self {
        let status = match attempt.outcome {
            AttemptOutcome::Answered(status) => Some(status),
            _ => None,
        };
        Self {
            number: attempt.number,
            started_at: attempt.started_at.to_string(),
            duration_ms: attempt.duration_ms,
            status,
            failure: attempt.outcome.failure(),
        }
    }
}
