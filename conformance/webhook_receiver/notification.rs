//! Notifications as the service sends them, rendered for events of a card and signed.

use std::time::{SystemTime, UNIX_EPOCH};

use card_service::base::{Entropy, GlobalId, Kind, Timestamp};
use card_service::model::{DeliveryState, SigningSecret, event_name};
use card_service::webhook::request;
use card_service::webhook::signature::{self, ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER};
use serde_json::json;

use crate::app::TestApp;

/// A signed request, which a test sends unchanged or modified.
#[derive(Clone, Debug)]
pub struct Notification {
    pub id: String,
    pub timestamp: i64,
    pub signature: String,
    pub body: String,
}

/// The notifications of one card, signed now; its dossier number has characters that need escapes.
pub struct Story {
    /// Sequence 2.
    pub updated: Notification,
    /// Sequence 3.
    pub ordered: Notification,
    /// Sequence 4.
    pub activated: Notification,
}

pub const DOSSIER: &str = "2026/één";

/// A new secret.
pub fn secret() -> SigningSecret {
    SigningSecret::generate(&Entropy::system())
}

/// The time of the machine in seconds, which receivers use.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970");
    i64::try_from(since.as_secs()).expect("within the calendar")
}

impl Story {
    /// Runs the changes and returns what the service would send. It sends nothing, because the partner's secret is revoked.
    pub async fn happened(app: &TestApp, secrets: &[SigningSecret]) -> Self {
        let caller = app.live().await;
        let mut subscriptions = Vec::new();
        for topic in ["CARDS_UPDATE", "CARDS_ORDERED", "CARDS_ACTIVATED"] {
            subscriptions.push(caller.subscribe(topic, "https://hooks.example/card").await);
        }
        app.revoke_secrets().await;
        let card = caller.draft(DOSSIER).await;
        assert_eq!(caller.update(&card, json!({ "deceased": { "firstName": "Johanna" } })).await.faults, []);
        app.order(&card).await;
        app.activate(&card).await;
        let mut sent = Vec::new();
        for subscription in &subscriptions {
            let id = GlobalId::uuid_of(subscription, Kind::WebhookSubscription).expect("a subscription's id");
            let due = app.store().deliveries_in_state(id, DeliveryState::Due, 2).await.expect("the store answers");
            let [delivery] = due.as_slice() else { panic!("one event of each topic: {due:?}") };
            let body = app.store().body_of(delivery.id).await.expect("the store answers").expect("a body");
            let unsigned =
                Notification { id: event_name(delivery.event_id), timestamp: 0, signature: String::new(), body };
            sent.push(unsigned.signed(secrets, now()));
        }
        let [updated, ordered, activated] = sent.try_into().expect("three topics");
        Self { updated, ordered, activated }
    }
}

impl Notification {
    /// A challenge, not signed yet (decisions W9).
    pub fn challenge(challenge: &str) -> Self {
        let (entropy, at) = (Entropy::system(), Timestamp::from_millis(now() * 1_000).expect("within the calendar"));
        let request = request::challenge(entropy.uuid(at), challenge, &[], at);
        let header =
            |name| request.headers.get(name).and_then(|value| value.to_str().ok()).expect("a header").to_owned();
        let body = String::from_utf8(request.body.to_vec()).expect("JSON");
        Self { id: header(ID_HEADER), timestamp: 0, signature: String::new(), body }
    }

    /// The same, signed at another time or with other secrets, as in another attempt.
    pub fn signed(mut self, secrets: &[SigningSecret], timestamp: i64) -> Self {
        self.signature = signature::sign(secrets, &self.id, timestamp, self.body.as_bytes());
        self.timestamp = timestamp;
        self
    }

    /// The three headers.
    pub fn headers(&self) -> [(&'static str, String); 3] {
        [
            (ID_HEADER, self.id.clone()),
            (TIMESTAMP_HEADER, self.timestamp.to_string()),
            (SIGNATURE_HEADER, self.signature.clone()),
        ]
    }
}
