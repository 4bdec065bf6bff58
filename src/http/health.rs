//! Health checks: whether the process runs (live), and whether it can serve requests (ready).
//!
//! Called by the router, and with all checks by the metrics server, which only the operator can reach.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use serde_json::{Map, Value, json};

use crate::response::{self, Response, ResponseExt as _};
use crate::services::{Audience, Checked, Checks, Outcome, Services};

/// The health checks, one for the process.
pub struct Health {
    checks: Checks,
    draining: AtomicBool,
}

const OK: &str = "ok";

/// The response of a running process.
pub(super) fn live() -> Response {
    response::plain(StatusCode::OK, "ok\n")
}

impl Health {
    pub(super) fn new(services: Arc<Services>) -> Self {
        Self { checks: Checks::new(services), draining: AtomicBool::new(false) }
    }

    /// Reports from now on that the process is not ready.
    pub(super) fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Returns the checks of the process.
    pub fn checks(&self) -> &Checks {
        &self.checks
    }

    /// Responds with 200 if the process is not about to stop and its database answers, and with 503 otherwise. A database that takes no
    /// writes does not change that: each replica has the same one, and pages and lookups work.
    pub async fn ready(&self) -> Response {
        self.respond(&self.checks.public().await, Map::new())
    }

    /// The same with all checks, for the operator. `warnings` has the problems that do not affect readiness.
    pub async fn ready_with_checks(&self) -> Response {
        let checked = self.checks.run_all().await;
        let of_operator = checked.iter().filter(|(check, _)| check.audience == Audience::Operator);
        let warnings = of_operator.filter_map(|(_, outcome)| outcome.problem());
        let warnings = json!(warnings.collect::<Vec<_>>());
        let checks = checked.iter().map(|(check, outcome)| (check.name.to_owned(), json!(outcome)));
        let checks = Value::Object(checks.collect());
        self.respond(&checked, Map::from_iter([("warnings".to_owned(), warnings), ("checks".to_owned(), checks)]))
    }

    /// Each public check is `ok` or the problem; the cause is logged.
    fn respond(&self, checked: &[Checked], mut body: Map<String, Value>) -> Response {
        let process = if self.is_draining() { "stopping" } else { OK };
        let mut ready = process == OK;
        body.insert("process".to_owned(), process.into());
        for (check, outcome) in checked.iter().filter(|(check, _)| check.audience != Audience::Operator) {
            ready &= check.audience != Audience::Readiness || matches!(outcome, Outcome::Ok | Outcome::Impaired(_));
            let text = match outcome {
                Outcome::Ok => OK,
                Outcome::Failed(problem) | Outcome::Impaired(problem) | Outcome::NotAsked(problem) => problem,
            };
            body.insert(check.name.to_owned(), text.into());
        }
        body.insert("ready".to_owned(), ready.into());
        let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        let body = serde_json::to_vec(&body).expect("texts can be written");
        response::new(status, "application/json; charset=utf-8", body)
            .with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
    }
}
