//! The HTTP request of a notification or a challenge, signed for one attempt (decisions W2, W9).

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use serde_json::json;
use uuid::Uuid;

use super::signature::{self, ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER};
use crate::base::{GlobalId, Kind, Timestamp};
use crate::model::{Delivery, SigningSecret, event_name};

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

/// Returns the request with one signature for each secret, made at `now` because receivers refuse old ones.
pub fn signed(delivery: &Delivery, body: Bytes, secrets: &[SigningSecret], now: Timestamp) -> Request {
    let subscription = GlobalId::new(Kind::WebhookSubscription, delivery.subscription_id).to_string();
    let mut headers = signature_headers(delivery.event_id, &body, secrets, now);
    headers.insert(TOPIC, HeaderValue::from_static(delivery.topic.as_str()));
    headers.insert(TEST, HeaderValue::from_static(if delivery.test { "true" } else { "false" }));
    headers.insert(API_VERSION, visible(&delivery.api_version));
    headers.insert(SUBSCRIPTION_ID, visible(&subscription));
    headers.insert(ATTEMPT, visible(&(delivery.attempt_count + 1).to_string()));
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
