//! The HTTP request of a notification or a challenge, signed for one attempt (decisions W2, W9).

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use serde_json::json;
use uuid::Uuid;

use super::signature::{self, ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER};
use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{Delivery, SigningSecret, Topic, event_name};

const ID: HeaderName = HeaderName::from_static(ID_HEADER);
const TIMESTAMP: HeaderName = HeaderName::from_static(TIMESTAMP_HEADER);
const SIGNATURE: HeaderName = HeaderName::from_static(SIGNATURE_HEADER);
const TOPIC: HeaderName = HeaderName::from_static("x-service-topic");
const API_VERSION: HeaderName = HeaderName::from_static("x-service-api-version");
const TEST: HeaderName = HeaderName::from_static("x-service-test");
const SUBSCRIPTION_ID: HeaderName = HeaderName::from_static("x-service-subscription-id");
const ATTEMPT: HeaderName = HeaderName::from_static("x-service-attempt");

/// A request that is ready to be posted.
#[derive(Clone, Debug)]
pub struct Request {
    /// With the signature.
    pub headers: HeaderMap,
    /// The signed bytes.
    pub body: Bytes,
}

/// What the headers of a notification say.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The event.
    pub event_id: Uuid,
    /// The subscription.
    pub subscription_id: Uuid,
    /// The topic.
    pub topic: Topic,
    /// Whether it is about a test card.
    pub test: bool,
    /// The API version of the body.
    pub api_version: &'a str,
    /// The number of the attempt, from 1.
    pub attempt: i64,
}

impl<'a> From<&'a Delivery> for Head<'a> {
    /// The head of the next attempt.
    fn from(delivery: &'a Delivery) -> Self {
        let Delivery { event_id, subscription_id, topic, test, .. } = *delivery;
        let (api_version, attempt) = (&*delivery.api_version, delivery.attempt_count + 1);
        Self { event_id, subscription_id, topic, test, api_version, attempt }
    }
}

/// Returns the request with one signature for each secret, made at `now` because receivers refuse old ones.
pub fn signed(head: Head<'_>, body: Bytes, secrets: &[SigningSecret], now: Timestamp) -> Request {
    let subscription = GlobalId::new(Kind::WebhookSubscription, head.subscription_id).to_string();
    let mut headers = signature_headers(head.event_id, &body, secrets, now);
    headers.insert(TOPIC, HeaderValue::from_static(head.topic.as_str()));
    headers.insert(TEST, HeaderValue::from_static(if head.test { "true" } else { "false" }));
    headers.insert(API_VERSION, visible(head.api_version));
    headers.insert(SUBSCRIPTION_ID, visible(&subscription));
    headers.insert(ATTEMPT, visible(&head.attempt.to_string()));
    Request { headers, body }
}

/// The `type` of a challenge, where a notification has its topic.
pub const CHALLENGE_TYPE: &str = "webhooks/challenge";

/// Returns the request that asks a callback to repeat `challenge` (decisions W9), signed as a notification.
pub fn challenge(id: Uuid, challenge: &str, secrets: &[SigningSecret], now: Timestamp) -> Request {
    let id_text = event_name(id);
    let body = json!({ "id": id_text, "type": CHALLENGE_TYPE, "timestamp": now.to_string(), "challenge": challenge });
    let body = Bytes::from(body.to_string());
    Request { headers: signature_headers(id, &body, secrets, now), body }
}

/// The headers that every request has.
fn signature_headers(id: Uuid, body: &[u8], secrets: &[SigningSecret], now: Timestamp) -> HeaderMap {
    let id = event_name(id);
    let timestamp = now.millis().div_euclid(1_000);
    let mut headers = HeaderMap::with_capacity(11);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static("PartnerCardService-Webhooks/1"));
    headers.insert(ID, visible(&id));
    headers.insert(TIMESTAMP, visible(&timestamp.to_string()));
    headers.insert(SIGNATURE, visible(&signature::sign(secrets, &id, timestamp, body)));
    headers
}

fn visible(value: &str) -> HeaderValue {
    HeaderValue::from_str(value).expect("ids, numbers and base64 are visible ASCII")
}
