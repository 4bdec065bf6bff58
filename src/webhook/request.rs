//! The HTTP request of a notification, signed for one attempt (decisions W2).

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};

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
    let id = event_name(delivery.event_id);
    let timestamp = now.millis().div_euclid(1_000);
    let signature = signature::sign(secrets, &id, timestamp, &body);
    let subscription = GlobalId::new(Kind::WebhookSubscription, delivery.subscription_id).to_string();

    let mut headers = HeaderMap::with_capacity(11);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static("PartnerCardService-Webhooks/1"));
    headers.insert(TOPIC, HeaderValue::from_static(delivery.topic.as_str()));
    headers.insert(TEST, HeaderValue::from_static(if delivery.test { "true" } else { "false" }));
    let mut insert = |name: HeaderName, value: &str| {
        let value = HeaderValue::from_str(value).expect("ids, numbers and base64 are visible ASCII");
        headers.insert(name, value);
    };
    insert(ID, &id);
    insert(TIMESTAMP, &timestamp.to_string());
    insert(SIGNATURE, &signature);
    insert(API_VERSION, &delivery.api_version);
    insert(SUBSCRIPTION_ID, &subscription);
    insert(ATTEMPT, &(delivery.attempt_count + 1).to_string());
    Request { headers, body }
}
