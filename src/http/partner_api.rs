//! The handler of partner requests: authentication, rate limit, parsing, idempotency, execution, response.
//!
//! Called by the router for `/partner/api/<version>/graphql`. Source: specification, sections 4, 5 and 7.3; GraphQL over
//! HTTP; decisions H1 to H8 and section 4.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use dated_graphql::{AnyEngine, Executed, PreparedOperation, Request};
use dated_graphql_http::ResponseType;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use hyper::body::Incoming;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::api_error::ApiError;
use super::authentication::Authenticated;
use super::content;
use super::finish_on_drop::FinishOnDrop;
use super::idempotency::{self, ClaimGuard, KeyState};
use super::server::AppState;
use super::throttle::{self, Charge};
use super::version::Version;
use crate::base::{ByteReservation, Holder, limits};
use crate::model::{KeyMode, code};
use crate::operation::Caller;
use crate::request::RequestHead;
use crate::resolver::Context;
use crate::response::{self, RequestLog, Response, ResponseExt as _};

const REPLAY: HeaderName = HeaderName::from_static("x-service-idempotent-replay");

/// Handles a partner request, step by step. The comments at the ends of lines are the statuses of their errors.
///
/// Fills in `log`, also for a request that fails.
pub(super) async fn handle_graphql(
    state: &AppState,
    version: &Version,
    head: &RequestHead<'_>,
    body: &mut Incoming,
    log: &mut RequestLog,
) -> Result<Response, ApiError> {
    require_post(head.method())?; // 405
    let (caller, response_type) = admit(state, version, head, log).await?; // 401, 403, 404, 406
    let mut charge = caller.bucket.charge();
    let partner = Holder::Partner { id: caller.partner_id, test: caller.mode == KeyMode::Test };
    let mut held = state.request_bytes.reserve([Some(partner), head.client.map(Holder::Client)]);
    let bytes = content::read_body(head.headers(), body, limits::BODY_BYTES_MAX, |length| {
        charge =
            caller.bucket.take_rest(charge, dated_graphql::Limits::DEFAULT.request_cost_min + length_points(length))?; // 429
        let is_held = held.grow_to(length * limits::REQUEST_MEMORY_FACTOR);
        if is_held { Ok(()) } else { Err(ApiError::unavailable()) } // 503
    });
    let bytes = bytes.await?; // 408, 413, 415, 501
    let request = Request::scan(&bytes)?; // 400
    let (request, prepared) = state.preparer.prepare(&version.engine, request).await?; // 400, 503
    log.mutation = prepared.is_mutation();
    let charge = caller.bucket.take_rest(charge, prepared.cost() + length_points(bytes.len()))?; // 400, 429
    log.cost = Some(charge.points());
    let charge = throttle::is_cost_requested(head.headers()).then_some(charge);

    let key = idempotency::read_key_header(&caller, &prepared, head.headers())?; // 400
    let (mut claim, mut remembered) = (None, BTreeMap::new());
    if let Some(key) = key {
        let digest = prepared.digest(version.name, &request);
        match state.idempotency.claim(key, digest).await? {
            // 409, 422
            KeyState::Claimed(held) => claim = Some(held),
            KeyState::Answered(response) if idempotency::is_stored_whole(&prepared) => {
                return Ok(respond(response_type, Answer::replay(response), log));
            }
            KeyState::Answered(values) => remembered = idempotency::read_values(&values)?, // 500
        }
    }
    // The values of the operation are copies. The memory of what runs counts until the answer.
    drop(request);
    drop(bytes);

    let abandoned = (log.mutation && claim.is_none()).then(CancellationToken::new);
    let caller = Caller {
        partner_id: caller.partner_id,
        key_id: caller.key_id,
        mode: caller.mode,
        version: version.name,
        request_id: head.id.to_owned(),
        abandoned: abandoned.clone(),
        claim: claim.as_ref().map(ClaimGuard::claim),
    };
    let context = Context::new(Arc::clone(&state.services), caller, remembered);
    let answer = match log.mutation {
        // To its end, even if the client disconnects or the request times out.
        true => {
            let mutation = mutate(Arc::clone(&version.engine), prepared, context, claim, charge, held);
            FinishOnDrop::new(mutation, &state.tasks, abandoned).await? // 422, 500, 503
        }
        false => {
            context.count_usage(version.engine.coordinates(), prepared.used());
            execute(&*version.engine, &prepared, &context, charge).await?.into() // 500, 503
        }
    };
    Ok(respond(response_type, answer, log))
}

/// The body of a response.
struct Answer {
    body: Bytes,
    /// Whether it is the response of an earlier attempt.
    is_replay: bool,
}

impl Answer {
    fn replay(response: String) -> Self {
        Self { body: response.into(), is_replay: true }
    }
}

impl From<Executed> for Answer {
    fn from(executed: Executed) -> Self {
        Self { body: executed.body, is_replay: false }
    }
}

/// Executes a mutation, and stores its outcome under its key. Owns its parameters, so that it can go on as a task.
///
/// `claim` is held until the outcome is stored, which may be after the response is sent; `_held` is the memory of the request.
async fn mutate(
    engine: Arc<dyn AnyEngine<Context>>,
    prepared: PreparedOperation,
    context: Context,
    claim: Option<ClaimGuard>,
    charge: Option<Charge>,
    _held: ByteReservation,
) -> Result<Answer, ApiError> {
    context.count_usage(engine.coordinates(), prepared.used());
    let executed = execute(&*engine, &prepared, &context, charge).await?;
    if let Some(claim) = claim
        && is_success(&executed, &context)
    {
        claim.store_outcome(&prepared, &executed).await?;
    }
    Ok(executed.into())
}

/// Returns whether a request succeeded as a whole.
fn is_success(executed: &Executed, context: &Context) -> bool {
    executed.error_codes.is_empty() && !context.notes().user_errors
}

/// Executes an operation. `charge` is `Some` if the request asks for the cost report.
async fn execute(
    engine: &dyn AnyEngine<Context>,
    prepared: &PreparedOperation,
    context: &Context,
    charge: Option<Charge>,
) -> Result<Executed, ApiError> {
    let mut executed = engine.execute(prepared, context).await;
    // A status of 200 would hide a failure without data: a client could read its null as "does not exist".
    let failed_with = |code| !executed.has_data && executed.error_codes.contains(&code);
    if failed_with(code::IDEMPOTENCY_KEY_REUSED) {
        return Err(ApiError::key_reused()); // 422: another input, or another request that another replica ran
    }
    if failed_with(code::UNAVAILABLE) {
        return Err(ApiError::unavailable()); // 503
    }
    if failed_with(code::INTERNAL_SERVER_ERROR) {
        return Err(ApiError::internal()); // 500
    }
    if let Some(charge) = charge {
        let mut with_report = Vec::from(executed.body);
        charge.report().add_to(&mut with_report);
        executed.body = with_report.into();
    }
    Ok(executed)
}

/// Returns the points that a body of this length costs in addition to its document.
fn length_points(bytes: usize) -> u32 {
    u32::try_from(bytes / limits::BODY_BYTES_PER_POINT).unwrap_or(u32::MAX)
}

/// Authenticates the caller of a version, and agrees on the type of the response.
async fn admit(
    state: &AppState,
    version: &Version,
    head: &RequestHead<'_>,
    log: &mut RequestLog,
) -> Result<(Authenticated, ResponseType), ApiError> {
    let caller = match state.authenticator.authenticate(head.headers()).await {
        Err(error) if error.code() == code::UNAUTHENTICATED => {
            state.versions.require_visible(version, None)?; // 404
            return Err(error); // 401
        }
        authenticated => authenticated?, // 403
    };
    (log.partner_id, log.test) = (Some(caller.partner_id), caller.mode == KeyMode::Test);
    state.versions.require_visible(version, Some(caller.mode))?; // 404
    let response_type = ResponseType::negotiate(head.headers()).ok_or_else(ApiError::not_acceptable)?; // 406
    Ok((caller, response_type))
}

fn require_post(method: &Method) -> Result<(), ApiError> {
    // Not GET: proxies log URLs, and one way to send a query is enough (decisions H5).
    if method == Method::POST { Ok(()) } else { Err(ApiError::method_not_allowed("POST")) }
}

/// Makes the response. With data the status is always 200.
fn respond(response_type: ResponseType, answer: Answer, log: &mut RequestLog) -> Response {
    log.replayed = answer.is_replay;
    let response = response::new(StatusCode::OK, response_type.content_type(), answer.body);
    if answer.is_replay { response.with(REPLAY, HeaderValue::from_static("true")) } else { response }
}

/// Prepares operations of every version: parses, validates and plans the document of a request, and coerces its variables.
///
/// A request whose plan is cached is prepared at once. Any other is work that grows with the document, and is done on a blocking
/// thread, at most [`limits::DOCUMENTS_PREPARED_AT_ONCE`] at a time: however long it takes, the runtime's own threads go on serving
/// other requests.
#[derive(Clone)]
pub(super) struct Preparer {
    permits: Arc<Semaphore>,
    wait_max: Duration,
}

impl Preparer {
    pub(super) fn new() -> Self {
        let permits = Arc::new(Semaphore::new(limits::DOCUMENTS_PREPARED_AT_ONCE));
        Self { permits, wait_max: limits::PREPARE_WAIT }
    }

    /// Returns the request and its prepared operation.
    ///
    /// # Errors
    /// 400 for a document or variables that are refused; 503 if no permit is free within [`limits::PREPARE_WAIT`].
    pub(super) async fn prepare<'a>(
        &self,
        engine: &Arc<dyn AnyEngine<Context>>,
        request: Request<'a>,
    ) -> Result<(Request<'a>, PreparedOperation), ApiError> {
        match engine.prepare_cached(&request) {
            Some(prepared) => Ok((request, prepared?)),
            None => self.prepare_uncached(Arc::clone(engine), request).await,
        }
    }

    async fn prepare_uncached(
        &self,
        engine: Arc<dyn AnyEngine<Context>>,
        request: Request<'_>,
    ) -> Result<(Request<'static>, PreparedOperation), ApiError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(self.wait_max, permit).await.map_err(|_| ApiError::unavailable())?;
        let request = request.unescape()?;
        let prepared = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the client disconnects before.
            let _permit = permit;
            let prepared = engine.prepare(&request)?;
            Ok((request, prepared))
        });
        // The task can only end by a panic, which the panic hook has logged.
        prepared.await.unwrap_or_else(|_panic| Err(ApiError::internal()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::v2026_10::V2026_10;
    use dated_graphql::{Engine, Limits};

    #[tokio::test]
    async fn document_that_gets_no_permit_in_time_is_503_and_a_cached_one_needs_none() {
        let engine: Arc<dyn AnyEngine<Context>> = Arc::new(Engine::<V2026_10>::new(Limits::default()));
        let preparer = Preparer { wait_max: Duration::from_millis(10), ..Preparer::new() };
        let prepare = async |document: &str| {
            let body = format!("{{\"query\":\"{document}\"}}");
            let request = Request::scan(body.as_bytes()).expect("a request");
            preparer.prepare(&engine, request).await.map(|_| ()).map_err(|error| error.code())
        };
        assert_eq!(prepare("{__typename}").await, Ok(()));
        let permits =
            preparer.permits.try_acquire_many(limits::DOCUMENTS_PREPARED_AT_ONCE as u32).expect("all are free");
        assert_eq!(prepare("{__typename}").await, Ok(()), "it is cached");
        assert_eq!(prepare("{a:__typename}").await, Err("UNAVAILABLE"));
        drop(permits);
        assert_eq!(prepare("{a:__typename}").await, Ok(()));
        assert_eq!(prepare("{nope}").await, Err("GRAPHQL_VALIDATION_FAILED"));
        assert_eq!(preparer.permits.available_permits(), limits::DOCUMENTS_PREPARED_AT_ONCE);
    }
}
