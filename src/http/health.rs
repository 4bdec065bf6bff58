//! Health checks: whether the process runs (live), and whether it can serve requests (ready).
//!
//! Called by the router, and with warnings by the metrics server, which only the operator can reach.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use http::HeaderValue;
use http::StatusCode;
use http::header::CACHE_CONTROL;
use serde::Serialize;
use tokio::sync::Mutex;

use crate::base::{ErrorChain, limits};
use crate::services::{Services, health_warnings};
use crate::web::response::{self, Response, ResponseExt as _};

/// The health checks, one for the process.
pub struct Health {
    services: Arc<Services>,
    draining: AtomicBool,
    /// The last result, cached so that callers cannot load the database and the object store.
    checked: Mutex<Option<Checked>>,
}

/// The result of checking the database and the object store.
#[derive(Clone, Copy)]
struct Checked {
    at: Instant,
    database: &'static str,
    object_store: &'static str,
}

/// The body of the response. Each check is `ok` or the problem; the cause is logged.
#[derive(Debug, Serialize)]
struct Readiness {
    ready: bool,
    process: &'static str,
    database: &'static str,
    /// Does not affect `ready`: without it only pictures are missing.
    object_store: &'static str,
    /// Settings that are unsafe in production; for the operator only.
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<&'static str>>,
}

const OK: &str = "ok";
const NO_ANSWER: &str = "does not answer";

/// The response of a running process.
pub(super) fn live() -> Response {
    response::plain(StatusCode::OK, "ok\n")
}

impl Health {
    pub(super) fn new(services: Arc<Services>) -> Self {
        Self { services, draining: AtomicBool::new(false), checked: Mutex::default() }
    }

    /// Reports from now on that the process is not ready.
    pub(super) fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Responds with 200 if the process is not about to stop and its database answers, and with 503 otherwise.
    pub async fn ready(&self) -> Response {
        self.respond(None).await
    }

    /// The same with warnings, for the operator.
    pub async fn ready_with_warnings(&self) -> Response {
        let warnings = tokio::time::timeout(limits::READINESS_DATABASE, health_warnings(&self.services));
        let (warnings, _) = tokio::join!(warnings, self.checked());
        // The database check reports a database that does not answer.
        let warnings = warnings.ok().and_then(Result::ok).unwrap_or_default();
        self.respond(Some(warnings.into_iter().map(|warning| warning.sentence()).collect())).await
    }

    async fn respond(&self, warnings: Option<Vec<&'static str>>) -> Response {
        let Checked { database, object_store, .. } = self.checked().await;
        let process = if self.is_draining() { "stopping" } else { OK };
        let ready = process == OK && database == OK;
        let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        let body = serde_json::to_vec(&Readiness { ready, process, database, object_store, warnings });
        response::new(status, "application/json; charset=utf-8", body.expect("texts can be written"))
            .with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
    }

    /// Returns the cached result if it is recent. Callers during a check wait for its result.
    async fn checked(&self) -> Checked {
        let mut checked = self.checked.lock().await;
        if let Some(last) = checked.filter(|last| last.at.elapsed() < limits::READINESS_KEPT) {
            return last;
        }
        let database = tokio::time::timeout(limits::READINESS_DATABASE, self.services.store.ping());
        let (database, object_store) = tokio::join!(database, self.services.media.check());
        let database = match database {
            Ok(Ok(())) => OK,
            Ok(Err(error)) => {
                tracing::warn!(error = %ErrorChain(&error), "the database does not answer");
                NO_ANSWER
            }
            Err(_) => {
                tracing::warn!("the database does not answer in time");
                NO_ANSWER
            }
        };
        let object_store = match object_store {
            Ok(()) => OK,
            Err(error) => {
                tracing::warn!(error = %ErrorChain(&error), "the object store does not answer");
                NO_ANSWER
            }
        };
        *checked.insert(Checked { at: Instant::now(), database, object_store })
    }
}
