//! The rate limit: a bucket of points for each partner and key mode, in the memory of this replica (decisions H8).
//!
//! Called by the handler of partner requests. Replicas do not share buckets, because that would cost each request a round
//! trip; n replicas together allow n times as much (docs/settings.md).

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use http::{HeaderMap, HeaderName};
use serde::Serialize;
use uuid::Uuid;

use super::api_error::ApiError;
use crate::base::{Clock, RateLimit};
use crate::model::KeyMode;

/// The buckets of this process, at most two for each partner.
pub(super) struct Buckets {
    clock: Clock,
    rate: RateLimit,
    buckets: Mutex<HashMap<(Uuid, KeyMode), Arc<Bucket>>>,
}

/// The points of one partner in one mode.
#[derive(Debug)]
pub(super) struct Bucket {
    limiter: RateLimiter<NotKeyed, InMemoryState, Clock, StateInformationMiddleware>,
    rate: RateLimit,
}

/// The points that a request was charged, and the points that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charge {
    points: u32,
    left: u32,
    rate: RateLimit,
}

impl Buckets {
    pub(super) fn new(clock: Clock, rate: RateLimit) -> Self {
        Self { clock, rate, buckets: Mutex::default() }
    }

    /// Returns the bucket of a partner: the same for all of its keys of this mode.
    pub(super) fn for_key(&self, partner_id: Uuid, mode: KeyMode) -> Arc<Bucket> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.entry((partner_id, mode));
        Arc::clone(bucket.or_insert_with(|| Arc::new(Bucket::full(self.clock.clone(), self.rate))))
    }
}

impl Bucket {
    fn full(clock: Clock, rate: RateLimit) -> Self {
        let quota = Quota::per_second(rate.restored_per_second).allow_burst(rate.points);
        let limiter = RateLimiter::direct_with_clock(quota, clock);
        Self { limiter: limiter.with_middleware(), rate }
    }

    /// Returns the charge of a request that has paid nothing yet.
    pub(super) fn charge(&self) -> Charge {
        Charge { points: 0, left: 0, rate: self.rate }
    }

    /// Takes the rest of the cost of a request; `points` is its whole cost, as far as it is known.
    ///
    /// # Errors
    /// 400 if the request costs more than the bucket can hold; 429 if the bucket does not hold enough points. The points that
    /// were already charged are not returned.
    pub(super) fn take_rest(&self, charged: Charge, points: u32) -> Result<Charge, ApiError> {
        let charge = |left| Charge { points, left, rate: self.rate };
        if points > self.rate.points.get() {
            return Err(ApiError::query_too_expensive(points, self.rate.points.get()));
        }
        let Some(rest) = NonZeroU32::new(points.saturating_sub(charged.points)) else {
            return Ok(charge(charged.left));
        };
        match self.limiter.check_n(rest) {
            Ok(Ok(state)) => Ok(charge(state.remaining_burst_capacity())),
            Ok(Err(until)) => {
                let wait = until.wait_time_from(GovernorClock::now(self.limiter.clock()));
                let missing = missing(wait, self.rate.restored_per_second);
                let left = rest.get().saturating_sub(missing);
                Err(ApiError::throttled(CostReport::new(points, charged.points, left, self.rate), wait))
            }
            Err(_beyond) => Err(ApiError::query_too_expensive(points, self.rate.points.get())),
        }
    }
}

/// How many points are restored in this time.
fn missing(wait: Duration, per_second: NonZeroU32) -> u32 {
    let points = wait.as_nanos().saturating_mul(per_second.get().into()).div_ceil(1_000_000_000);
    u32::try_from(points).unwrap_or(u32::MAX)
}

impl Charge {
    pub(super) fn points(&self) -> u32 {
        self.points
    }

    pub(super) fn report(&self) -> CostReport {
        CostReport::new(self.points, self.points, self.left, self.rate)
    }
}

const DEBUG: HeaderName = HeaderName::from_static("x-service-debug-cost");

/// Whether the request asks for the report.
pub(super) fn is_cost_requested(headers: &HeaderMap) -> bool {
    headers.get(DEBUG).is_some_and(|value| value == "1")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CostReport {
    requested_query_cost: u32,
    /// The points that were taken: all of them from a request that was executed.
    actual_query_cost: u32,
    throttle_status: ThrottleStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct ThrottleStatus {
    maximum_available: u32,
    currently_available: u32,
    /// Points per second.
    restore_rate: u32,
}

/// The `extensions` of a response.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Extensions {
    pub cost: CostReport,
}

impl CostReport {
    pub fn new(requested: u32, actual: u32, available: u32, rate: RateLimit) -> Self {
        Self {
            requested_query_cost: requested,
            actual_query_cost: actual,
            throttle_status: ThrottleStatus {
                maximum_available: rate.points.get(),
                currently_available: available,
                restore_rate: rate.restored_per_second.get(),
            },
        }
    }

    /// Adds the report to the body of a response, which is a JSON object without `extensions`.
    pub fn add_to(self, body: &mut Vec<u8>) {
        if body.pop() == Some(b'}') {
            body.extend_from_slice(b",\"extensions\":");
            serde_json::to_writer(&mut *body, &Extensions { cost: self }).expect("numbers can be written");
            body.push(b'}');
        }
    }
}
