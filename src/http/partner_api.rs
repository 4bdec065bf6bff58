//! The walk of a partner request: every stage that it passes, one line each.
//!
//! Called by the router for `/partner/api/<version>/graphql`. Source: specification, sections 4, 5 and 7.3; GraphQL over
//! HTTP; decisions H1 to H8 and section 4.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use hyper::body::Incoming;
use serde_json::Value;

use super::accept::Media;
use super::answer::{Answer, RequestLog};
use super::api_error::ApiError;
use super::app_state::AppState;
use super::authentication::Authenticated;
use super::body;
use super::idempotency::{self, Attempt, Begun};
use super::request_head::RequestHead;
use super::throttle::{self, Charge};
use super::version::Version;
use crate::base::request_id;
use crate::graphql::{AnyEngine, Prepared, Reply, Request, code};
use crate::operation::Caller;
use crate::resolver::Context;
use crate::services::UsageKey;
use crate::store::IdempotencyKey;

const REPLAY: HeaderName = HeaderName::from_static("x-service-idempotent-replay");

/// The root field whose requests an `Idempotency-Key` is for (specification, section 4.3).
const CREATES_CARDS: &str = "cardCreate";

/// THE WALK: bytes, version, token, request, idempotency, engine (and through it resolver, operation, store), answer.
///
/// The router has already found the version, or answered 404. What is learned about the request goes into `note`.
pub async fn handle_graphql(
    state: &Arc<AppState>,
    version: &Version,
    head: &RequestHead<'_>,
    body: Incoming,
    log: &mut RequestLog,
) -> Result<Answer, ApiError> {
    let parts = head.parts;
    require_post(&parts.method)?; // 405
    let caller = state.authenticator.authenticate(state, &parts.headers, head.time).await?; // 401, 403
    log.partner_id = Some(caller.partner_id);
    state.versions.admit(version, caller.mode)?; // 404
    let media = head.accepted.ok_or_else(ApiError::not_acceptable)?; // 406
    // Every request is charged, refused or not. A refusal waits for the body, so that the connection can be used again.
    let charge = caller.bucket.take_minimum();
    let bytes = body::read(&parts.headers, body).await?; // 415, 413, 408
    let charge = charge?; // 429
    let request = Request::parse(&bytes)?; // 400
    let prepared = state.preparer.prepare(&version.engine, &bytes, &request).await?; // 400, 503
    log.mutation = prepared.is_mutation();
    let charge = caller.bucket.take_rest(charge, prepared.cost())?; // 400, 429
    log.cost = Some(charge.points());
    let charge = throttle::is_asked_for(&parts.headers).then_some(charge);
    let fingerprint = || prepared.fingerprint(version.name, &request);
    let attempt = match begin(state, &caller, &prepared, fingerprint, &parts.headers).await? {
        Begun::Replay(body) => return Ok(answer(media, body, true, log)),
        Begun::Run(attempt) => attempt,
    }; // 400, 409, 422
    count(state, version, &caller, &prepared);
    let context = context(state, version, &caller, attempt.as_ref(), head.id);
    let run = Run { state: Arc::clone(state), engine: Arc::clone(&version.engine), prepared, context, attempt, charge };
    let (body, replayed) = run.until_done().await?; // 422, 500
    Ok(answer(media, body, replayed, log))
}

fn require_post(method: &Method) -> Result<(), ApiError> {
    // Queries over GET would stand in the logs of every proxy, and one way to ask is enough (decisions H5).
    if method == Method::POST { Ok(()) } else { Err(ApiError::method_not_allowed("POST")) }
}

/// The stage of idempotency, which only requests that create cards pass; the header says nothing on others.
async fn begin(
    state: &AppState,
    caller: &Authenticated,
    prepared: &Prepared,
    fingerprint: impl FnOnce() -> [u8; 32],
    headers: &HeaderMap,
) -> Result<Begun, ApiError> {
    if !prepared.root_fields().any(|field| field == CREATES_CARDS) {
        return Ok(Begun::Run(None));
    }
    match idempotency::key_in(headers)? {
        Some(text) => {
            let key = IdempotencyKey { partner_id: caller.partner_id, mode: caller.mode, text: text.to_owned() };
            Box::pin(idempotency::begin(state, key, fingerprint())).await
        }
        None => Ok(Begun::Run(None)),
    }
}

/// Notes which coordinates of the schema an operation uses that is about to run.
fn count(state: &AppState, version: &Version, caller: &Authenticated, prepared: &Prepared) {
    let usage_key = UsageKey::new(caller.partner_id, caller.mode, version.name, caller.at);
    state.services.usage.count(usage_key, version.engine.coordinates(), prepared.used());
}

fn context(
    state: &AppState,
    version: &Version,
    caller: &Authenticated,
    attempt: Option<&Attempt>,
    request_id: &str,
) -> Context {
    let caller = Caller {
        partner_id: caller.partner_id,
        key_id: caller.key_id,
        mode: caller.mode,
        version: version.name,
        request_id: request_id.to_owned(),
        idempotency: attempt.map(Attempt::binding),
    };
    Context::new(Arc::clone(&state.services), caller)
}

/// A request that is let through, with everything it needs for itself.
struct Run {
    state: Arc<AppState>,
    engine: Arc<dyn AnyEngine<Context>>,
    prepared: Prepared,
    context: Context,
    attempt: Option<Attempt>,
    /// There when the caller wants to know it.
    charge: Option<Charge>,
}

impl Run {
    /// The body of the answer, and whether it speaks of a card that an earlier attempt created.
    ///
    /// A mutation runs on a task of its own, to its end: if the caller hangs up or its time is over, its fields are not
    /// broken off half-way, its answer is remembered, and its key stays taken until then. A query is dropped at once.
    async fn until_done(self) -> Result<(Vec<u8>, bool), ApiError> {
        if !self.prepared.is_mutation() {
            return self.run().await;
        }
        let tasks = self.state.tasks.clone();
        // The task can only end by a panic, which the panic hook has logged.
        tasks.spawn(request_id::inherited(self.run())).await.unwrap_or_else(|_panic| Err(ApiError::internal()))
    }

    async fn run(self) -> Result<(Vec<u8>, bool), ApiError> {
        let Reply { mut body, error_count } = self.engine.execute(&self.prepared, &self.context).await;
        if error_count > 0
            && let Some(error) = failed_as_a_whole(&body)
        {
            return Err(error);
        }
        if let Some(charge) = self.charge {
            charge.report(Some(self.prepared.cost_answered(&body))).add_to(&mut body);
        }
        let Some(attempt) = &self.attempt else { return Ok((body, false)) };
        if error_count == 0 && !self.context.user_errors() {
            // A session link is kept as a digest alone: an answer with one is made again, with a new link.
            let remembered = (!self.context.made_session_link()).then_some(body.as_slice());
            Box::pin(attempt.bind(&self.state, remembered)).await;
        }
        Ok((body, self.context.replayed()))
    }
}

/// Why a request came to nothing, where an answer of 200 would hide it: its data hold nothing, and the cause is ours or
/// lies in its key. Whoever looks at the status alone then knows to come back, and reads no null as "does not exist".
fn failed_as_a_whole(body: &[u8]) -> Option<ApiError> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let codes: Vec<_> = body["errors"].as_array()?.iter().map(|error| &error["extensions"]["code"]).collect();
    let holds_nothing = match &body["data"] {
        Value::Object(fields) => fields.values().all(Value::is_null),
        data => data.is_null(),
    };
    let among = |wanted: &str| holds_nothing && codes.iter().any(|found| **found == wanted);
    // The key is bound to a different request, which another replica ran; or the card has a different input.
    if among(code::IDEMPOTENCY_KEY_REUSED) {
        return Some(ApiError::key_reused());
    }
    if among(code::UNAVAILABLE) {
        return Some(ApiError::unavailable());
    }
    among(code::INTERNAL_SERVER_ERROR).then(ApiError::internal)
}

/// An answer that holds data is always 200 (decisions H5).
fn answer(media: Media, body: impl Into<Bytes>, replayed: bool, log: &mut RequestLog) -> Answer {
    log.replayed = replayed;
    let answer = Answer::new(StatusCode::OK, media.content_type(), body);
    if replayed { answer.with(REPLAY, HeaderValue::from_static("true")) } else { answer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_with_errors_fails_as_a_whole_only_when_its_data_hold_nothing() {
        let answer = |data: &str, code: &str| {
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
            assert_eq!(answer(data, found), outcome, "{data} {found}");
        }
    }
}
