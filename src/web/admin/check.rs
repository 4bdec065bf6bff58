//! `/admin/checks`: the register of checks with their results, as `doctor` and the metrics server report them.

use maud::html;

use super::page::{self, table};
use super::site::OperatorRequest;
use crate::services::{Checks, Outcome as CheckOutcome};
use crate::web::page::Outcome;

pub(super) async fn list(request: &OperatorRequest<'_>, checks: &Checks) -> Outcome {
    let mut rows = Vec::new();
    for (check, outcome) in checks.all().await {
        let (state, reason) = match &outcome {
            CheckOutcome::Ok => ("passes", None),
            CheckOutcome::Failed(reason) => ("fails", Some(reason)),
            CheckOutcome::NotAsked(reason) => ("not asked", Some(reason)),
        };
        let is_failed = matches!(outcome, CheckOutcome::Failed(_));
        rows.push(vec![
            html! { (check.name) },
            html! { (check.question) },
            html! { @if is_failed { strong { (state) } } @else { (state) } },
            html! { @if let Some(reason) = reason { (reason) } },
            html! { @if is_failed { (check.action) } },
        ]);
    }
    let main = table("Checks of this replica", &["Check", "Question", "Result", "Reason", "What to do"], &rows);
    Ok(page::page(request, "Checks", &None, main))
}
