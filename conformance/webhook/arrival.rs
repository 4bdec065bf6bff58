//! Reads and awaits the notifications that the mock server received.

use std::time::Duration;

use card_service::base::{GlobalId, Kind};
use card_service::model::{Delivery, DeliveryState, SigningSecret, WebhookSecret};
use card_service::webhook::{SignedRequest, verify};
use serde_json::Value;
use uuid::Uuid;

use super::payload;
use crate::app::mock_server::Seen;
use crate::app::{Caller, TestApp};

/// How long a test waits for an expected notification, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a test waits to see that no notification comes.
const QUIET: Duration = Duration::from_millis(400);

/// A received notification.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub seen: Seen,
    pub json: Value,
}

impl Arrival {
    pub fn header(&self, name: &str) -> &str {
        let value = self.seen.headers.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", self.seen.headers));
        value.to_str().expect("headers are ASCII")
    }

    pub fn topic(&self) -> &str {
        self.json["topic"].as_str().expect("a topic")
    }

    pub fn sequence(&self) -> i64 {
        self.json["sequence"].as_i64().expect("a number")
    }

    pub fn card(&self) -> &str {
        self.json["data"]["card"]["id"].as_str().expect("an id")
    }
}

/// Reads the requests of a path, and checks their bodies with the JSON Schemas.
pub fn arrivals(seen: Vec<Seen>, path: &str) -> Vec<Arrival> {
    let here = seen.into_iter().filter(|seen| seen.path == path);
    here.map(|seen| Arrival { json: payload::valid(&seen.body), seen }).collect()
}

/// Asserts a signature by this secret.
#[track_caller]
pub fn assert_signed(arrival: &Arrival, secret: &SigningSecret, now_seconds: i64) {
    let received = SignedRequest {
        id: arrival.header("webhook-id"),
        timestamp: arrival.header("webhook-timestamp"),
        signature: arrival.header("webhook-signature"),
        body: &arrival.seen.body,
    };
    verify([secret], &received, now_seconds).unwrap_or_else(|error| panic!("{error}: {arrival:?}"));
}

impl TestApp {
    /// Returns the notifications that a path received so far.
    pub fn arrivals(&self, path: &str) -> Vec<Arrival> {
        arrivals(self.mock_server().requests(), path)
    }

    /// Waits until a path has received this many notifications in all.
    #[track_caller]
    pub fn arrive(&self, path: &str, count: usize) -> impl Future<Output = Vec<Arrival>> {
        let (place, app, path) = (std::panic::Location::caller(), self.clone(), path.to_owned());
        async move {
            let end = tokio::time::Instant::now() + PATIENCE;
            loop {
                let arrived = app.arrivals(&path);
                if arrived.len() >= count {
                    return arrived;
                }
                assert!(tokio::time::Instant::now() < end, "{place}: {} of {count} arrived", arrived.len());
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }

    /// Asserts that no more notifications arrive for a short time.
    #[track_caller]
    pub fn assert_quiet(&self, path: &str, count: usize) -> impl Future<Output = ()> {
        let (place, app, path) = (std::panic::Location::caller(), self.clone(), path.to_owned());
        async move {
            tokio::time::sleep(QUIET).await;
            assert_eq!(app.arrivals(&path).len(), count, "{place}");
        }
    }

    /// The deliveries of a subscription in a state, oldest first.
    pub async fn deliveries(&self, subscription: &str, state: DeliveryState) -> Vec<Delivery> {
        let id = subscription_id(subscription);
        let mut found = self.store().deliveries_in_state(id, state, 1_000).await.expect("the store answers");
        found.reverse();
        found
    }

    /// Waits until this many deliveries of a subscription are in a state and no attempt runs.
    #[track_caller]
    pub fn settle(
        &self,
        subscription: &str,
        state: DeliveryState,
        count: usize,
    ) -> impl Future<Output = Vec<Delivery>> {
        let (place, app, subscription) = (std::panic::Location::caller(), self.clone(), subscription.to_owned());
        async move {
            let end = tokio::time::Instant::now() + PATIENCE;
            loop {
                let found = app.deliveries(&subscription, state).await;
                if found.len() == count && found.iter().all(|delivery| delivery.lease.is_none()) {
                    return found;
                }
                assert!(tokio::time::Instant::now() < end, "{place}: {count} {state:?} wanted, found {found:?}");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }

    /// Waits until the only due delivery is scheduled for later; returns the delay in seconds.
    #[track_caller]
    pub fn next_attempt(&self, subscription: &str, attempts: i64) -> impl Future<Output = f64> {
        let (place, app, subscription) = (std::panic::Location::caller(), self.clone(), subscription.to_owned());
        async move {
            let end = tokio::time::Instant::now() + PATIENCE;
            loop {
                let due = app.deliveries(&subscription, DeliveryState::Due).await;
                if let [delivery] = &due[..]
                    && delivery.lease.is_none()
                    && delivery.attempt_count == attempts
                    && let Some(at) = delivery.due_at
                {
                    return (at.millis() - app.now().millis()) as f64 / 1_000.0;
                }
                assert!(tokio::time::Instant::now() < end, "{place}: {due:?}");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }

    /// Adds a signing secret of a partner.
    pub async fn secret(&self, partner_id: Uuid) -> SigningSecret {
        let issued = WebhookSecret::generate(partner_id, &self.services().entropy, self.now());
        let secret = issued.secret.clone();
        self.store().issue_webhook_secret(issued, 2).await.expect("the store answers");
        self.store().signals().notify_all();
        secret
    }

    /// A partner's live caller, subscribed to a topic at `path` of the mock server; and the subscription's id.
    pub async fn follower(&self, topic: &str, path: &str) -> (Caller, String) {
        let caller = self.live().await;
        let subscription = caller.subscribe(topic, &self.mock_server().secure_url(path)).await;
        (caller, subscription)
    }
}

impl TestApp {
    /// As [`TestApp::follower`], on the path of 2027-01, with a test key.
    pub async fn follower_on_2027_01(&self, topic: &str, path: &str) -> (Caller, String) {
        let caller = self.on_2027_01().await;
        let subscription = caller.subscribe(topic, &self.mock_server().secure_url(path)).await;
        (caller, subscription)
    }
}

/// The uuid in a subscription's global id.
pub fn subscription_id(gid: &str) -> Uuid {
    GlobalId::uuid_of(gid, Kind::WebhookSubscription).unwrap_or_else(|| panic!("{gid} is no subscription"))
}
