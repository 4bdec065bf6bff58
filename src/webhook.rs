//! Webhook requests: sends and signs a notification or a challenge, and verifies a signature as a receiver does.
//!
//! Called by the webhook worker, for a test notification, by `webhook verify` and by the receiver of the demo. The signature is
//! the symmetric one of Standard Webhooks, HMAC-SHA256 over `id.timestamp.body` (github.com/standard-webhooks,
//! spec/standard-webhooks.md; decisions W2).

#![warn(missing_docs)]

use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use serde_json::json;
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use url::Url;
use uuid::Uuid;

use crate::base::limits::SIGNATURE_TOLERANCE;
use crate::base::{Clock, GlobalId, Kind, Timestamp};
use crate::model::{Attempt, AttemptOutcome, Delivery, SigningSecret, event_name};
use crate::outbound::{FetchError, Outbound};

/// The header with the id of the event, the same in every attempt.
pub const ID_HEADER: &str = "webhook-id";
/// The header with the time of the attempt, in seconds since 1970-01-01.
pub const TIMESTAMP_HEADER: &str = "webhook-timestamp";
/// The header with the signatures, separated by spaces, each `v1,` and 32 bytes in Base64.
pub const SIGNATURE_HEADER: &str = "webhook-signature";

/// The prefix of a symmetric signature. A header may contain signatures of other schemes too, such as `v1a`.
const SCHEME: &str = "v1,";

const ID: HeaderName = HeaderName::from_static(ID_HEADER);
const TIMESTAMP: HeaderName = HeaderName::from_static(TIMESTAMP_HEADER);
const SIGNATURE: HeaderName = HeaderName::from_static(SIGNATURE_HEADER);
const TOPIC: HeaderName = HeaderName::from_static("x-service-topic");
const API_VERSION: HeaderName = HeaderName::from_static("x-service-api-version");
const TEST: HeaderName = HeaderName::from_static("x-service-test");
const SUBSCRIPTION_ID: HeaderName = HeaderName::from_static("x-service-subscription-id");
const ATTEMPT: HeaderName = HeaderName::from_static("x-service-attempt");

/// Makes the next attempt of a delivery: signs and posts it. Returns the outcome and the `Retry-After` of the response.
pub(crate) async fn send(
    outbound: &Outbound,
    clock: &Clock,
    delivery: &Delivery,
    body: Bytes,
    to: &Url,
    secrets: &[SigningSecret],
) -> (Attempt, Option<String>) {
    let (started_at, began) = (clock.now(), Instant::now());
    let number = delivery.attempt_count + 1;
    let headers = || notification_headers(delivery, &body, secrets, started_at);
    let answer = outbound.post(to, headers, body.clone()).await;
    let (outcome, cause, retry_after) = match answer {
        Ok(receipt) => (AttemptOutcome::Answered(receipt.status), None, receipt.retry_after),
        Err(FetchError::NoAnswer(cause)) => (cause.outcome(), Some(cause), None),
        // The other errors are of a fetch.
        Err(_) => (AttemptOutcome::Refused, None, None),
    };
    let duration_ms = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    (Attempt { delivery_id: delivery.id, number, started_at, duration_ms, outcome, cause }, retry_after)
}

/// A request that is ready to be posted.
#[derive(Clone, Debug)]
pub struct Request {
    /// With the signature.
    pub headers: HeaderMap,
    /// The signed bytes.
    pub body: Bytes,
}

/// Returns the headers of the next attempt, with one signature for each secret, made at `now` because receivers refuse old ones.
fn notification_headers(delivery: &Delivery, body: &[u8], secrets: &[SigningSecret], now: Timestamp) -> HeaderMap {
    let subscription = GlobalId::new(Kind::WebhookSubscription, delivery.subscription_id).to_string();
    let mut headers = signature_headers(delivery.event_id, body, secrets, now);
    headers.insert(TOPIC, HeaderValue::from_static(delivery.topic.as_str()));
    headers.insert(TEST, HeaderValue::from_static(if delivery.test { "true" } else { "false" }));
    headers.insert(API_VERSION, header_value(&delivery.api_version));
    headers.insert(SUBSCRIPTION_ID, header_value(&subscription));
    headers.insert(ATTEMPT, header_value(&(delivery.attempt_count + 1).to_string()));
    headers
}

/// The `type` of a challenge, where a notification has its topic.
pub const CHALLENGE_TYPE: &str = "webhooks/challenge";

/// Returns the request that asks a callback to repeat `challenge`, signed as a notification.
pub fn challenge_request(id: Uuid, challenge: &str, secrets: &[SigningSecret], now: Timestamp) -> Request {
    let id_text = event_name(id);
    let body = json!({ "id": id_text, "type": CHALLENGE_TYPE, "timestamp": now.to_string(), "challenge": challenge });
    let body = Bytes::from(body.to_string());
    Request { headers: signature_headers(id, &body, secrets, now), body }
}

/// Returns the headers that every request has.
fn signature_headers(id: Uuid, body: &[u8], secrets: &[SigningSecret], now: Timestamp) -> HeaderMap {
    let id = event_name(id);
    let timestamp = now.millis().div_euclid(1_000);
    let mut headers = HeaderMap::with_capacity(13);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(USER_AGENT, HeaderValue::from_static("PartnerCardService-Webhooks/1"));
    headers.insert(ID, header_value(&id));
    headers.insert(TIMESTAMP, header_value(&timestamp.to_string()));
    headers.insert(SIGNATURE, header_value(&sign(secrets, &id, timestamp, body)));
    headers
}

fn header_value(value: &str) -> HeaderValue {
    HeaderValue::from_str(value).expect("ids, numbers and base64 are visible ASCII")
}

/// Returns the value of `webhook-signature`: one signature for each secret, in their order, separated by spaces.
pub fn sign<'a>(
    secrets: impl IntoIterator<Item = &'a SigningSecret>,
    id: &str,
    timestamp_seconds: i64,
    body: &[u8],
) -> String {
    let timestamp = timestamp_seconds.to_string();
    let mut value = String::new();
    for secret in secrets {
        if !value.is_empty() {
            value.push(' ');
        }
        value.push_str(SCHEME);
        STANDARD.encode_string(mac(secret.key(), &[id, ".", &timestamp, "."], body), &mut value);
    }
    value
}

/// Returns the HMAC-SHA256 of the parts before the body, and the body.
fn mac(key: &[u8], before: &[&str], body: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    before.iter().for_each(|part| mac.update(part.as_bytes()));
    mac.update(body);
    mac.finalize().into_bytes().into()
}

/// A received request: the three headers and the raw body.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    /// The value of [`ID_HEADER`].
    pub id: &'a str,
    /// The value of [`TIMESTAMP_HEADER`].
    pub timestamp: &'a str,
    /// The value of [`SIGNATURE_HEADER`].
    pub signature: &'a str,
    /// The body as it was received, byte for byte.
    pub body: &'a [u8],
}

/// Why a notification is not genuine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The timestamp is not a decimal number.
    #[error("{TIMESTAMP_HEADER} is not a number of seconds")]
    Timestamp,
    /// The timestamp is this many seconds in the past, more than the tolerance.
    #[error("the notification was signed {0} seconds ago, which is too long")]
    TooOld(u64),
    /// The timestamp is this many seconds in the future, more than the tolerance.
    #[error("the notification was signed {0} seconds from now")]
    FromTheFuture(u64),
    /// The header holds signatures of other schemes only, or none.
    #[error("{SIGNATURE_HEADER} holds no signature of the scheme v1")]
    NoSignature,
    /// No signature was made with these secrets over this request.
    #[error("no signature matches")]
    Differs,
}

/// Checks that a notification is fresh and signed with one of the secrets.
pub fn verify<'a>(
    secrets: impl IntoIterator<Item = &'a SigningSecret>,
    received: &SignedRequest<'_>,
    now_seconds: i64,
) -> Result<(), SignatureError> {
    check_age(received.timestamp, now_seconds)?;
    let given = signatures(received.signature);
    if given.is_empty() {
        return Err(SignatureError::NoSignature);
    }
    for secret in secrets {
        let own = mac(secret.key(), &[received.id, ".", received.timestamp, "."], received.body);
        if given.iter().any(|signature| is_same(signature, &own)) {
            return Ok(());
        }
    }
    Err(SignatureError::Differs)
}

/// Checks that a timestamp is a number and close to now: an old one may be a replay.
fn check_age(timestamp: &str, now_seconds: i64) -> Result<(), SignatureError> {
    let plain = !timestamp.is_empty() && timestamp.bytes().all(|b| b.is_ascii_digit());
    let signed_at: i64 = timestamp.parse().ok().filter(|_| plain).ok_or(SignatureError::Timestamp)?;
    let apart = now_seconds.abs_diff(signed_at);
    match apart <= SIGNATURE_TOLERANCE.as_secs() {
        true => Ok(()),
        false if signed_at < now_seconds => Err(SignatureError::TooOld(apart)),
        false => Err(SignatureError::FromTheFuture(apart)),
    }
}

/// Returns the decoded signatures of our scheme. Invalid ones are left out.
fn signatures(header: &str) -> Vec<Vec<u8>> {
    let encoded = header.split(' ').filter_map(|part| part.strip_prefix(SCHEME));
    encoded.filter_map(|text| STANDARD.decode(text).ok()).collect()
}

/// Compares in constant time.
fn is_same(given: &[u8], own: &[u8; 32]) -> bool {
    given.ct_eq(own).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Entropy;

    const ID: &str = "evt_01JD0000000000000000000000";
    const SIGNED_AT: i64 = 1_732_044_535;
    const BODY: &[u8] = br#"{"test":true}"#;

    fn secret() -> SigningSecret {
        SigningSecret::parse("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").expect("the vector is valid")
    }

    fn request(signature: &str) -> SignedRequest<'_> {
        SignedRequest { id: ID, timestamp: "1732044535", signature, body: BODY }
    }

    #[test]
    fn signature_of_the_test_vector_is_correct() {
        let signed = sign(&[secret()], ID, SIGNED_AT, BODY);
        assert_eq!(signed, "v1,EN9Fow2uZKqFckkISPMEpj5Thjw/ifYcgY3vwtzv4/w=");
        assert_eq!(verify(&[secret()], &request(&signed), SIGNED_AT), Ok(()));
    }

    #[test]
    fn two_secrets_sign_and_either_verifies() {
        let new = SigningSecret::generate(&Entropy::seeded(1));
        let both = sign(&[new.clone(), secret()], ID, SIGNED_AT, BODY);
        assert_eq!(both.split(' ').count(), 2);
        for known in [new, secret()] {
            assert_eq!(verify(&[known], &request(&both), SIGNED_AT), Ok(()));
        }
        let other = SigningSecret::generate(&Entropy::seeded(2));
        assert_eq!(verify(&[other], &request(&both), SIGNED_AT), Err(SignatureError::Differs));
        assert_eq!(verify(&[], &request(&both), SIGNED_AT), Err(SignatureError::Differs));
    }

    #[test]
    fn changed_part_does_not_match() {
        let signed = sign(&[secret()], ID, SIGNED_AT, BODY);
        let whole = request(&signed);
        for changed in [
            SignedRequest { id: "evt_01JD0000000000000000000001", ..whole },
            SignedRequest { timestamp: "1732044536", ..whole },
            SignedRequest { timestamp: "01732044535", ..whole },
            SignedRequest { body: b"{\"test\":true}\n", ..whole },
            SignedRequest { body: br#"{"test": true}"#, ..whole },
        ] {
            assert_eq!(verify(&[secret()], &changed, SIGNED_AT), Err(SignatureError::Differs), "{changed:?}");
        }
    }

    #[test]
    fn notification_is_fresh_for_five_minutes_on_either_side() {
        let signed = sign(&[secret()], ID, SIGNED_AT, BODY);
        for (now, outcome) in [
            (SIGNED_AT + 300, Ok(())),
            (SIGNED_AT - 300, Ok(())),
            (SIGNED_AT + 301, Err(SignatureError::TooOld(301))),
            (SIGNED_AT - 301, Err(SignatureError::FromTheFuture(301))),
            (i64::MAX, Err(SignatureError::TooOld(i64::MAX.abs_diff(SIGNED_AT)))),
        ] {
            assert_eq!(verify(&[secret()], &request(&signed), now), outcome, "{now}");
        }
        for timestamp in ["", "+1732044535", "-1", "1732044535.0", " 1732044535", "99999999999999999999"] {
            let strange = SignedRequest { timestamp, ..request(&signed) };
            assert_eq!(verify(&[secret()], &strange, SIGNED_AT), Err(SignatureError::Timestamp), "{timestamp:?}");
        }
    }

    #[test]
    fn only_signatures_of_our_scheme_count() {
        let signed = sign(&[secret()], ID, SIGNED_AT, BODY);
        let mixed = format!("v1a,AAAA v1,AAAA {signed}  v2,AAAA");
        assert_eq!(verify(&[secret()], &request(&mixed), SIGNED_AT), Ok(()));
        let bare = signed.trim_start_matches("v1,");
        for (header, error) in [
            ("", SignatureError::NoSignature),
            (bare, SignatureError::NoSignature),
            ("v1a,AAAA", SignatureError::NoSignature),
            ("v1,not base64", SignatureError::NoSignature),
            ("v1,AAAA", SignatureError::Differs),
        ] {
            assert_eq!(verify(&[secret()], &request(header), SIGNED_AT), Err(error), "{header:?}");
        }
    }
}
