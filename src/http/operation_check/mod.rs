//! Checks the operations of a partner against a version: `/partner/api/<version>/check` (decisions H11).
//!
//! POST checks documents that are sent, GET those that the service stored of the partner. [`schema::operation`] decides; the
//! work grows with the documents and is done on a blocking thread, at most [`limits::CHECKS_AT_ONCE`] at a time.

mod answer;
mod request;

use std::sync::Arc;

use http::{Method, StatusCode};
use hyper::body::Incoming;
use tokio::sync::Semaphore;

use super::accept::ResponseType;
use super::api_error::ApiError;
use super::app_state::AppState;
use super::authentication::Authenticated;
use super::partner_api::{Admitted, admit};
use super::throttle::{Bucket, Charge};
use super::version::{Version, Versions};
use crate::base::limits;
use crate::model::{Scope, UsageDocument};
use crate::web::RequestHead;
use crate::web::response::{self, RequestLog, Response};
use answer::Answer;
use request::CheckRequest;

const METHODS: &str = "GET, HEAD, POST";

/// Runs checks.
pub(super) struct OperationChecker {
    permits: Arc<Semaphore>,
}

/// What is checked, with the version that it was written for.
enum Operations {
    /// Documents that share their fragments.
    Sent(&'static str, Vec<request::SentDocument>),
    /// Documents that are complete, the last used first.
    Stored(Vec<UsageDocument>),
}

impl OperationChecker {
    pub(super) fn new() -> Self {
        Self { permits: Arc::new(Semaphore::new(limits::CHECKS_AT_ONCE)) }
    }

    /// Runs a check, and charges its operations to the bucket. Returns the answer in JSON, and the points.
    ///
    /// # Errors
    /// 400 for too many operations or none; 429; 503 if no permit is free within [`limits::PREPARE_WAIT`].
    async fn run(&self, check: Check) -> Result<(Vec<u8>, Charge), ApiError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(limits::PREPARE_WAIT, permit).await.map_err(|_| ApiError::unavailable())?;
        let checked = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the client disconnects before.
            let _permit = permit;
            Answer::of(check).map(|(answer, charge)| (answer.json(), charge))
        });
        // The task can only end by a panic, which the panic hook has logged.
        checked.await.unwrap_or_else(|_panic| Err(ApiError::internal()))
    }
}

/// A check, with what it needs on another thread.
struct Check {
    operations: Operations,
    versions: Arc<Versions>,
    /// The version that the operations are checked against.
    version: &'static str,
    bucket: Arc<Bucket>,
    charge: Charge,
}

/// Handles a check. The comments at the ends of lines are the statuses of their errors.
pub(super) async fn handle(
    state: &AppState,
    version: &Version,
    head: &RequestHead<'_>,
    body: Incoming,
    log: &mut RequestLog,
) -> Result<Response, ApiError> {
    if head.method() != Method::POST && !head.is_read() {
        return Err(ApiError::method_not_allowed(METHODS)); // 405
    }
    let Admitted { caller, charge, .. } = admit(state, version, head, log).await?; // 401, 403, 404, 406
    let operations = match *head.method() == Method::POST {
        true => {
            let bytes = super::body::read(head.headers(), body, limits::CHECK_BODY_BYTES_MAX).await?; // 415, 413, 408
            let CheckRequest { from, documents } = CheckRequest::parse(&bytes)?; // 400
            Operations::Sent(written_for(state, version, &caller, from.as_deref())?, documents) // 400, 404
        }
        false => stored(state, version, &caller).await?, // 404
    };
    let (versions, bucket) = (Arc::clone(&state.versions), Arc::clone(&caller.bucket));
    let check = Check { operations, versions, version: version.name, bucket, charge: charge? }; // 429
    let (answer, charge) = state.operation_checker.run(check).await?; // 400, 429, 503
    log.cost = Some(charge.points());
    Ok(response::new(StatusCode::OK, ResponseType::Json.content_type(), answer))
}

/// Returns the version that documents were written for: `from`, or the newest published one before the checked version.
fn written_for(
    state: &AppState,
    version: &Version,
    caller: &Authenticated,
    from: Option<&str>,
) -> Result<&'static str, ApiError> {
    let Some(from) = from else {
        let before = state.versions.available().into_iter().rfind(|name| *name < version.name);
        return before.ok_or_else(|| ApiError::check_invalid("Name the version of the documents in \"from\"."));
    };
    let from = state.versions.find(from)?;
    state.versions.require_visible(from, caller.mode)?;
    Ok(from.name)
}

/// Returns the documents that keys within the caller's scope sent to other versions.
async fn stored(state: &AppState, version: &Version, caller: &Authenticated) -> Result<Operations, ApiError> {
    if !state.services.policy.usage_documents {
        return Err(ApiError::documents_not_stored());
    }
    let scope = Scope { partner_id: caller.partner_id, mode: caller.mode };
    let count_max = i64::try_from(limits::CHECKED_DOCUMENTS_MAX).unwrap_or(i64::MAX);
    Ok(Operations::Stored(state.services.store.usage_documents_of(scope, version.name, count_max).await?))
}
