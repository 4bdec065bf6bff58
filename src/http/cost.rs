//! `extensions.cost` of a response: what the request cost, and what is left of the rate limit (decisions H8).
//!
//! Added to the response if the request asks for it, and to every response that the rate limit refuses.

use http::{HeaderMap, HeaderName};
use serde::Serialize;

use crate::base::RateLimit;

const DEBUG: HeaderName = HeaderName::from_static("x-service-debug-cost");

/// Whether the request asks for the report.
pub(super) fn is_requested(headers: &HeaderMap) -> bool {
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
