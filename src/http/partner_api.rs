//! The handler of partner requests: authentication, rate limit, parsing, idempotency, execution, response.
//!
//! Called by the router for `/partner/api/<version>/graphql`. Source: specification, sections 4, 5 and 7.3; GraphQL over
//! HTTP; decisions H1 to H8 and section 4.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use engine::{AnyEngine, PreparedOperation, Request};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use hyper::body::Incoming;
use serde_json::Value;

use super::api_error::ApiError;
use super::authentication::Authenticated;
use super::content::{self, ResponseType};
use super::idempotency::{self, KeyLock, KeyState};
use super::remembered;
use super::server::AppState;
use super::throttle::{self, Charge};
use super::version::Version;
use crate::base::{limits, request_id};
use crate::model::code;
use crate::operation::Caller;
use crate::request::RequestHead;
use crate::resolver::Context;
use crate::response::{self, RequestLog, Response, ResponseExt as _};
use crate::services::{Services, UsageKey};
use crate::store::IdempotencyKey;

const REPLAY: HeaderName = HeaderName::from_static("x-service-idempotent-replay");

/// The root field that `Idempotency-Key` is for (specification, section 4.3).
const CARD_CREATE: &str = "cardCreate";

/// Handles a partner request, step by step. The comments at the ends of lines are the statuses of their errors.
///
/// Records in `log` what is learned about the request.
pub(super) async fn handle_graphql(
    state: &AppState,
    version: &Version,
    head: &RequestHead<'_>,
    body: Incoming,
    log: &mut RequestLog,
) -> Result<Response, ApiError> {
    require_post(head.method())?; // 405
    let Admitted { caller, response_type, charge } = admit(state, version, head, log).await?; // 401, 403, 404, 406
    let bytes = content::read_body(head.headers(), body, limits::BODY_BYTES_MAX).await?; // 415, 413, 408
    let charge = charge?; // 429
    let request = Request::parse(&bytes)?; // 400
    let prepared = state.preparer.prepare(&version.engine, &bytes, &request).await?; // 400, 503
    log.mutation = prepared.is_mutation();
    let charge = caller.bucket.take_rest(charge, prepared.cost())?; // 400, 429
    log.cost = Some(charge.points());
    let charge = throttle::is_cost_requested(head.headers()).then_some(charge);
    let (mut lock, mut remembered) = (None, BTreeMap::new());
    let key = idempotency_key(&caller, &prepared, head.headers())?; // 400
    if let Some(key) = key {
        let key = state.idempotency.begin(key, prepared.fingerprint(version.name, &request)).await?; // 409, 422
        match key {
            KeyState::Locked(key_lock) => lock = Some(key_lock),
            KeyState::Remembered(body) if remembered::is_stored_whole(&prepared) => {
                log.replayed = true;
                return Ok(respond(response_type, body).with(REPLAY, HeaderValue::from_static("true")));
            }
            KeyState::Remembered(body) => remembered = remembered::values(&prepared, &body)?, // 500
        }
    }
    count_usage(&state.services, version, &caller, &prepared);
    let context = context(&state.services, version, &caller, lock.as_ref(), remembered, head.id);
    let execution = Execution { engine: Arc::clone(&version.engine), prepared, context, lock, charge };
    let body = match execution.prepared.is_mutation() {
        // On a task of its own: it runs to its end even if the client disconnects or the request times out.
        true => {
            let task = state.tasks.spawn(request_id::inherited(execution.run()));
            // The task can only fail by a panic, which the panic hook has logged.
            task.await.unwrap_or_else(|_panic| Err(ApiError::internal()))?
        }
        false => execution.run().await?,
    }; // 422, 500
    Ok(respond(response_type, body))
}

/// A request whose body may be read.
pub(super) struct Admitted {
    pub(super) caller: Authenticated,
    pub(super) response_type: ResponseType,
    /// The least that a request costs, or 429. Returned after the body is read, so that the connection can be used again.
    pub(super) charge: Result<Charge, ApiError>,
}

/// Authenticates the caller of a version, agrees on the type of the response, and charges the request.
pub(super) async fn admit(
    state: &AppState,
    version: &Version,
    head: &RequestHead<'_>,
    log: &mut RequestLog,
) -> Result<Admitted, ApiError> {
    let caller = match state.authenticator.authenticate(head.headers()).await {
        Err(error) if error.code() == code::UNAUTHENTICATED => {
            state.versions.require_visible(version, None)?; // 404
            return Err(error); // 401
        }
        authenticated => authenticated?, // 403
    };
    log.partner_id = Some(caller.partner_id);
    state.versions.require_visible(version, Some(caller.mode))?; // 404
    let response_type = ResponseType::negotiate(head.headers()).ok_or_else(ApiError::not_acceptable)?; // 406
    let charge = caller.bucket.take_minimum();
    Ok(Admitted { caller, response_type, charge })
}

fn require_post(method: &Method) -> Result<(), ApiError> {
    // Not GET: proxies log URLs, and one way to send a query is enough (decisions H5).
    if method == Method::POST { Ok(()) } else { Err(ApiError::method_not_allowed("POST")) }
}

/// Returns the idempotency key of a request that creates cards; other requests ignore the header.
fn idempotency_key(
    caller: &Authenticated,
    prepared: &PreparedOperation,
    headers: &HeaderMap,
) -> Result<Option<IdempotencyKey>, ApiError> {
    if !prepared.root_fields().any(|(_, name)| name == CARD_CREATE) {
        return Ok(None);
    }
    let key = |text: &str| IdempotencyKey { partner_id: caller.partner_id, mode: caller.mode, text: text.to_owned() };
    Ok(idempotency::key_in(headers)?.map(key))
}

/// Counts the coordinates of the schema that the operation uses.
fn count_usage(services: &Services, version: &Version, caller: &Authenticated, prepared: &PreparedOperation) {
    let usage_key = UsageKey::new(caller.partner_id, caller.mode, version.name, caller.at);
    services.usage.count(usage_key, version.engine.coordinates(), prepared.used());
}

fn context(
    services: &Arc<Services>,
    version: &Version,
    caller: &Authenticated,
    lock: Option<&KeyLock>,
    remembered: BTreeMap<String, String>,
    request_id: &str,
) -> Context {
    let caller = Caller {
        partner_id: caller.partner_id,
        key_id: caller.key_id,
        mode: caller.mode,
        version: version.name,
        request_id: request_id.to_owned(),
        idempotency: lock.map(KeyLock::binding),
    };
    Context::new(Arc::clone(services), caller, remembered)
}

/// The execution of a prepared operation. Owns what it needs, so that it can run on a task of its own.
struct Execution {
    engine: Arc<dyn AnyEngine<Context>>,
    prepared: PreparedOperation,
    context: Context,
    /// Held until the response is stored, which may be after it is sent.
    lock: Option<KeyLock>,
    /// `Some` if the request asks for the cost report.
    charge: Option<Charge>,
}

impl Execution {
    /// Executes the operation, and returns the body of the response.
    async fn run(self) -> Result<Bytes, ApiError> {
        let engine::Response { mut body, error_count } = self.engine.execute(&self.prepared, &self.context).await;
        if error_count > 0
            && let Some(error) = failed_as_a_whole(&body)
        {
            return Err(error);
        }
        if let Some(charge) = self.charge {
            let mut with_report = Vec::from(body);
            charge.report().add_to(&mut with_report);
            body = with_report.into();
        }
        if let Some(lock) = self.lock
            && error_count == 0
            && !self.context.user_errors()
        {
            match remembered::to_store(&self.prepared, &body) {
                // Before the response is sent, so that other mutations are not executed again after it.
                Some(stored) if self.prepared.root_fields().any(|(_, name)| name != CARD_CREATE) => {
                    lock.bind(stored).await
                }
                Some(stored) => lock.bind_later(stored).await,
                None => tracing::error!("a response was not stored under its idempotency key: it cannot be read"),
            }
        }
        Ok(body)
    }
}

/// Returns the error of a response without data whose cause is the service or the idempotency key. A status of 200 would
/// hide it, and a client could read its null as "does not exist".
fn failed_as_a_whole(body: &[u8]) -> Option<ApiError> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let codes: Vec<_> = body["errors"].as_array()?.iter().map(|error| &error["extensions"]["code"]).collect();
    let has_no_data = match &body["data"] {
        Value::Object(fields) => fields.values().all(Value::is_null),
        data => data.is_null(),
    };
    let failed_with = |code: &str| has_no_data && codes.iter().any(|found| **found == code);
    // The key is bound to a different request, which another replica ran; or the card has a different input.
    if failed_with(code::IDEMPOTENCY_KEY_REUSED) {
        return Some(ApiError::key_reused());
    }
    if failed_with(code::UNAVAILABLE) {
        return Some(ApiError::unavailable());
    }
    failed_with(code::INTERNAL_SERVER_ERROR).then(ApiError::internal)
}

/// Makes the response. With data the status is always 200 (decisions H5).
fn respond(response_type: ResponseType, body: impl Into<Bytes>) -> Response {
    response::new(StatusCode::OK, response_type.content_type(), body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_with_errors_fails_as_a_whole_only_without_data() {
        let error = |data: &str, code: &str| {
            let body = format!("{{\"data\":{data},\"errors\":[{{\"extensions\":{{\"code\":\"{code}\"}}}}]}}");
            failed_as_a_whole(body.as_bytes()).map(|error| error.code())
        };
        for (data, found, outcome) in [
            ("null", "UNAVAILABLE", Some("UNAVAILABLE")),
            ("{\"card\":null}", "UNAVAILABLE", Some("UNAVAILABLE")),
            ("{\"card\":null,\"theme\":{}}", "UNAVAILABLE", None),
            ("{\"card\":null}", "INTERNAL_SERVER_ERROR", Some("INTERNAL_SERVER_ERROR")),
            ("{\"card\":{\"theme\":null}}", "INTERNAL_SERVER_ERROR", None),
            ("null", "BAD_USER_INPUT", None),
            ("{\"a\":null,\"b\":null}", "IDEMPOTENCY_KEY_REUSED", Some("IDEMPOTENCY_KEY_REUSED")),
            ("{\"a\":{},\"b\":null}", "IDEMPOTENCY_KEY_REUSED", None),
        ] {
            assert_eq!(error(data, found), outcome, "{data} {found}");
        }
    }
}
