//! A notification as it goes over the wire: its headers, signed for this attempt (decisions W2).

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};

use crate::base::{GlobalId, Kind, Moment};
use crate::delivery::signature::{self, ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER};
use crate::model::{Delivery, SigningSecret, event_name};

/// The body and what stands above it.
pub(super) struct Request {
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// The notification, with a signature of each active secret made at `now`: a receiver refuses old ones.
pub(super) fn signed(delivery: &Delivery, body: Bytes, secrets: &[SigningSecret], now: Moment) -> Request {
    let id = event_name(delivery.event_id);
    let timestamp = now.millis().div_euclid(1_000);
    let signature = signature::sign(secrets, &id, timestamp, &body);
    let subscription = GlobalId::new(Kind::WebhookSubscription, delivery.subscription_id).to_string();

    let mut headers = HeaderMap::with_capacity(11);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static("PartnerCardService-Webhooks/1"));
    let mut say = |name: &'static str, value: &str| {
        let value = HeaderValue::from_str(value).expect("ids, numbers and base64 are visible ASCII");
        headers.insert(HeaderName::from_static(name), value);
    };
    say(ID_HEADER, &id);
    say(TIMESTAMP_HEADER, &timestamp.to_string());
    say(SIGNATURE_HEADER, &signature);
    say("x-service-topic", delivery.topic.as_str());
    say("x-service-api-version", &delivery.api_version);
    say("x-service-test", if delivery.test { "true" } else { "false" });
    say("x-service-subscription-id", &subscription);
    say("x-service-attempt", &(delivery.attempt_count + 1).to_string());
    Request { headers, body }
}
