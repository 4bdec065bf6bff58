//! The checks of the service: what must hold for it to work well.
//!
//! `register.rs` lists them with their alerts and what to do. `card-service doctor`, the readiness check of `http`,
//! `card_service_check` in `/metrics`, `docs/operating/checks.yml` and `docs/checks.md` all come from that list.

mod ask;
mod register;

use std::fmt::Write as _;
use std::sync::Arc;

use futures_util::future::join_all;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::Services;
use crate::base::limits;

pub use ask::certificate_problem;
pub use register::{Audience, CHECKS, Check, Severity};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome", content = "reason")]
pub enum Outcome {
    /// The check passes.
    Ok,
    /// The problem, as a sentence without its full stop.
    Failed(String),
    /// The same, while the replica serves what does not need it: no reason for a balancer to send requests elsewhere.
    #[serde(rename = "failed")]
    Impaired(String),
    /// Why the check could not be made, or does not apply.
    NotAsked(String),
}

/// A check with its result.
pub type Checked = (&'static Check, Outcome);

/// Makes the checks and caches their results, each for its own time.
pub struct Checks {
    services: Arc<Services>,
    /// In the order of [`CHECKS`]. Callers during a check wait for its result.
    results: Vec<Mutex<Option<(Instant, Outcome)>>>,
}

impl Outcome {
    fn fail(problem: impl Into<String>) -> Self {
        Outcome::Failed(problem.into())
    }

    fn skip(reason: impl Into<String>) -> Self {
        Outcome::NotAsked(reason.into())
    }

    /// Returns the problem of a check that fails.
    pub fn problem(&self) -> Option<&str> {
        match self {
            Outcome::Failed(problem) | Outcome::Impaired(problem) => Some(problem),
            Outcome::Ok | Outcome::NotAsked(_) => None,
        }
    }

    /// Fails with this problem unless `holds`.
    fn unless(holds: bool, problem: &str) -> Self {
        if holds { Outcome::Ok } else { Outcome::fail(problem) }
    }
}

impl Checks {
    /// Makes checks of these services.
    pub fn new(services: Arc<Services>) -> Self {
        Self { services, results: CHECKS.iter().map(|_| Mutex::default()).collect() }
    }

    /// Makes all checks at the same time, in the order of [`CHECKS`].
    pub async fn run_all(&self) -> Vec<Checked> {
        self.make(|_| true).await
    }

    /// Runs the public checks, which are cheap.
    pub async fn public(&self) -> Vec<Checked> {
        self.make(|check| check.audience != Audience::Operator).await
    }

    /// Makes the checks that ask nothing outside this process and its database.
    pub async fn local(&self) -> Vec<Checked> {
        self.make(|check| check.kept.is_zero()).await
    }

    async fn make(&self, chosen: impl Fn(&Check) -> bool) -> Vec<Checked> {
        let chosen = CHECKS.iter().zip(&self.results).filter(|(check, _)| chosen(check));
        join_all(chosen.map(async |(check, result)| (check, self.result(check, result).await))).await
    }

    async fn result(&self, check: &Check, result: &Mutex<Option<(Instant, Outcome)>>) -> Outcome {
        let mut result = result.lock().await;
        if let Some((at, outcome)) = &*result
            && at.elapsed() < check.kept
        {
            return outcome.clone();
        }
        let asked = tokio::time::timeout(limits::CHECK_TOTAL, (check.ask)(&self.services)).await;
        let outcome = asked.unwrap_or_else(|_| match check.audience {
            Audience::Operator => Outcome::skip("the database does not answer in time"),
            Audience::Everyone | Audience::Readiness => Outcome::fail("does not answer in time"),
        });
        result.insert((Instant::now(), outcome)).1.clone()
    }
}

const HEAD: &str = "# Checks

Written from the register in `src/services/check/register.rs`; `UPDATE_DOCS=1 cargo test --workspace --all-features --test \
conformance documents` updates it, and a test fails when it is not current.

The same checks answer in four places: `card-service doctor` makes them all and ends with 1 if one fails; `/health/ready` at \
METRICS_LISTEN lists them, at LISTEN only those marked *everyone*; `card_service_check{name=\"…\"}` in `/metrics` is 1 while a \
check passes, 0 while it fails, and absent where it does not apply or could not be made; and the alerts of \
[operating/checks.yml](operating/checks.yml) fire on the 0. Only a check marked *readiness* makes a replica not ready, \
and only while the replica can serve nothing: a database that takes no writes fails `database` and pages the operator, but \
`/health/ready` stays 200, because all replicas share the database, and pages and lookups work.
";

/// Returns the text of `docs/checks.md`.
pub fn check_runbook() -> String {
    let mut text = String::from(HEAD);
    for check in CHECKS {
        let audience = match check.audience {
            Audience::Readiness => ", everyone, readiness",
            Audience::Everyone => ", everyone",
            Audience::Operator => "",
        };
        let _ = write!(
            text,
            "\n## `{}`\n\n{} ({}{audience})\n\n**{}**, after {} min. {}\n",
            check.name,
            check.question,
            check.severity.as_str(),
            check.alert,
            check.alert_after_minutes,
            check.action,
        );
    }
    text
}

/// Returns the text of `docs/operating/checks.yml`: one alert for each check.
pub fn check_alerts() -> String {
    let mut text = String::from(
        "# One alert for each check, written from src/services/check/register.rs. What to do: docs/checks.md.\n\
         groups:\n  - name: card-service-checks\n    rules:\n",
    );
    for check in CHECKS {
        let _ = write!(
            text,
            "      - alert: {}\n        expr: card_service_check{{name=\"{}\"}} == 0\n        for: {}m\n        labels: {{ \
             severity: {} }}\n        annotations: {{ summary: \"{} No.\", runbook: \"docs/checks.md#{}\" }}\n",
            check.alert,
            check.name,
            check.alert_after_minutes,
            check.severity.as_str(),
            check.question,
            check.name,
        );
    }
    text
}
