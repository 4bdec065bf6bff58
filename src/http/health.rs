//! Whether the process lives, and whether it can serve: for balancers and operators.
//!
//! Called by the router.

use http::HeaderValue;
use http::StatusCode;
use http::header::CACHE_CONTROL;
use serde::Serialize;

use super::answer::Answer;
use super::front::Front;
use crate::base::Causes;
use crate::operation::dangers;

/// What readiness rests on. A check says `ok`, or what is wrong; the cause is in the log.
#[derive(Debug, Serialize)]
struct Readiness {
    ready: bool,
    process: &'static str,
    database: &'static str,
    /// Without it pages are shown without pictures, and portraits are refused: no reason to take no requests.
    object_store: &'static str,
    /// What is dangerous anywhere but on a developer's machine.
    warnings: Vec<&'static str>,
}

const OK: &str = "ok";

/// The process answers at all.
pub fn live() -> Answer {
    Answer::plain(StatusCode::OK, "ok\n")
}

/// The process can do its work: it is not being stopped, and its database answers.
pub async fn ready(front: &Front) -> Answer {
    let services = &front.services;
    let process = if front.stop.is_told() { "stopping" } else { OK };
    let database = match services.store.ping().await {
        Ok(()) => OK,
        Err(error) => {
            tracing::warn!(error = %Causes(&error), "the database does not answer");
            "does not answer"
        }
    };
    let object_store = match services.media.check().await {
        Ok(()) => OK,
        Err(error) => {
            tracing::warn!(error = %Causes(&error), "the object store does not answer");
            "does not answer"
        }
    };
    // A database that does not answer is told above.
    let warnings = dangers(services).await.unwrap_or_default();
    let warnings = warnings.into_iter().map(|danger| danger.sentence()).collect();
    let ready = process == OK && database == OK;
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let body = serde_json::to_vec(&Readiness { ready, process, database, object_store, warnings });
    Answer::new(status, "application/json; charset=utf-8", body.expect("texts can be written"))
        .with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
}
