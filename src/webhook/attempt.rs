//! One attempt to send a notification: signed, posted, and its outcome (decisions W2, W3).
//!
//! Called by the webhook worker, and for a test notification.

use std::time::Instant;

use bytes::Bytes;
use url::Url;

use super::request;
use crate::base::Clock;
use crate::model::{Attempt, AttemptOutcome, Delivery, SigningSecret};
use crate::outbound::{FetchError, Outbound};

/// Makes the next attempt of a delivery. Returns its outcome and the `Retry-After` of the response.
pub(crate) async fn attempt(
    outbound: &Outbound,
    clock: &Clock,
    delivery: &Delivery,
    body: Bytes,
    to: &Url,
    secrets: &[SigningSecret],
) -> (Attempt, Option<String>) {
    let (started_at, began) = (clock.now(), Instant::now());
    let number = delivery.attempt_count + 1;
    let request = request::signed(delivery.into(), body, secrets, started_at);
    let (outcome, retry_after) = match outbound.post(to, request.headers, request.body).await {
        Ok(receipt) => (AttemptOutcome::Answered(receipt.status), receipt.retry_after),
        Err(FetchError::TimeOut) => (AttemptOutcome::TimeOut, None),
        Err(FetchError::Refused) => (AttemptOutcome::Refused, None),
        Err(FetchError::Status(status)) => (AttemptOutcome::Answered(status), None),
        Err(FetchError::NoConnection | FetchError::TooLarge) => (AttemptOutcome::NoConnection, None),
    };
    let duration_ms = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    (Attempt { delivery_id: delivery.id, number, started_at, duration_ms, outcome }, retry_after)
}
