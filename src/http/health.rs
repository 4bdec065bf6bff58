//! Whether the process lives, and whether it can serve: for balancers and operators.
//!
//! Called by the router for anybody, and by the listener of `METRICS_LISTEN` for the operator, who is told more.

use std::sync::Arc;
use std::time::Instant;

use http::HeaderValue;
use http::StatusCode;
use http::header::CACHE_CONTROL;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use crate::base::{ErrorChain, limits};
use crate::operation::Services;
use crate::services::health_warnings;

/// The health checks, one for the process.
pub struct Health {
    services: Arc<Services>,
    shutdown: CancellationToken,
    /// The last result, kept for a moment: any number of callers costs one look at the database and the object store.
    checked: Mutex<Option<Checked>>,
}

/// What readiness rests on outside the process.
#[derive(Clone, Copy)]
struct Checked {
    at: Instant,
    database: &'static str,
    object_store: &'static str,
}

/// What a caller is told. A check says `ok`, or what is wrong; the cause is in the log.
#[derive(Debug, Serialize)]
struct Readiness {
    ready: bool,
    process: &'static str,
    database: &'static str,
    /// Without it pages are shown without pictures, and portraits are refused: no reason to take no requests.
    object_store: &'static str,
    /// What is dangerous anywhere but on a developer's machine; for the operator alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<&'static str>>,
}

const OK: &str = "ok";
const SILENT: &str = "does not answer";

/// The process answers at all.
pub fn live() -> Answer {
    Answer::plain(StatusCode::OK, "ok\n")
}

impl Health {
    pub fn new(services: Arc<Services>, shutdown: CancellationToken) -> Self {
        Self { services, shutdown, checked: Mutex::default() }
    }

    /// Whether the process can do its work: it is not being stopped, and its database answers.
    pub async fn ready(&self) -> Answer {
        self.answer(None).await
    }

    /// The same with what is dangerous, for the operator.
    pub async fn ready_with_warnings(&self) -> Answer {
        let warnings = tokio::time::timeout(limits::READINESS_DATABASE, health_warnings(&self.services));
        let (warnings, _) = tokio::join!(warnings, self.checked());
        // A database that does not answer is told by its check.
        let warnings = warnings.ok().and_then(Result::ok).unwrap_or_default();
        self.answer(Some(warnings.into_iter().map(|warning| warning.sentence()).collect())).await
    }

    async fn answer(&self, warnings: Option<Vec<&'static str>>) -> Answer {
        let Checked { database, object_store, .. } = self.checked().await;
        let process = if self.shutdown.is_cancelled() { "stopping" } else { OK };
        let ready = process == OK && database == OK;
        let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        let body = serde_json::to_vec(&Readiness { ready, process, database, object_store, warnings });
        Answer::new(status, "application/json; charset=utf-8", body.expect("texts can be written"))
            .with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
    }

    /// The last result if it is fresh. Callers that come during a check wait for it.
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
                SILENT
            }
            Err(_) => {
                tracing::warn!("the database does not answer in time");
                SILENT
            }
        };
        let object_store = match object_store {
            Ok(()) => OK,
            Err(error) => {
                tracing::warn!(error = %ErrorChain(&error), "the object store does not answer");
                SILENT
            }
        };
        *checked.insert(Checked { at: Instant::now(), database, object_store })
    }
}
