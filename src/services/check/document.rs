//! Writes the register of checks as the operator's documents.

use std::fmt::Write as _;

use super::{Audience, CHECKS};

const HEAD: &str = "# Checks

Written from the register in `src/services/check/register.rs`; `UPDATE_DOCS=1 cargo test --workspace --all-features --test \
conformance documents` updates it, and a test fails when it is not current.

The same checks answer in four places: `card-service doctor` makes them all and ends with 1 if one fails; `/health/ready` at \
METRICS_LISTEN lists them, at LISTEN only those marked *everyone*; `card_service_check{name=\"…\"}` in `/metrics` is 1 while a \
check passes, 0 while it fails, and absent where it does not apply or could not be made; and the alerts of \
[operating/checks.yml](operating/checks.yml) fire on the 0. Only a check marked *readiness* makes a replica not ready.
";

/// Returns the text of `docs/checks.md`.
pub fn check_runbook() -> String {
    let mut text = String::from(HEAD);
    for check in CHECKS {
        let told = match check.audience {
            Audience::Readiness => ", everyone, readiness",
            Audience::Everyone => ", everyone",
            Audience::Operator => "",
        };
        let _ = write!(
            text,
            "\n## `{}`\n\n{} ({}{told})\n\n**{}**, after {} min. {}\n",
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
