//! The walk of a partner request: every stage that it passes, one line each.
//!
//! Called by the router for `/partner/api/<version>/graphql`. Source: specification, sections 4, 5 and 7.3; GraphQL over
//! HTTP; decisions H1 to H7 and section 4.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request as HttpRequest, StatusCode};
use hyper::body::Incoming;

use super::accept::Media;
use super::answer::{Answer, Note};
use super::body;
use super::front::Front;
use super::idempotency::{self, Attempt, Begun};
use super::problem::Problem;
use super::token::Admitted;
use super::version::Version;
use crate::graphql::{AnyEngine, Prepared, Reply, Request, code};
use crate::operation::Caller;
use crate::resolver::Context;

const REPLAY: HeaderName = HeaderName::from_static("x-service-idempotent-replay");

/// The root field whose requests an `Idempotency-Key` is for (specification, section 4.3).
const CREATES_CARDS: &str = "cardCreate";

/// THE WALK: bytes, version, token, request, idempotency, engine (and through it resolver, operation, store), answer.
///
/// The router has already found the version, or answered 404. What is learned about the request goes into `note`.
pub async fn walk(
    front: &Arc<Front>,
    version: &Version,
    request: HttpRequest<Incoming>,
    accepted: Option<Media>,
    request_id: &str,
    note: &mut Note,
) -> Result<Answer, Problem> {
    let (head, body) = request.into_parts();
    require_post(&head.method)?; // 405
    let caller = front.tokens.admit(front, &head.headers).await?; // 401, 403
    note.partner_id = Some(caller.partner_id);
    let media = accepted.ok_or_else(Problem::not_acceptable)?; // 406
    let bytes = body::read(&head.headers, body).await?; // 415, 413, 408
    let prepared = version.engine.prepare(Request::parse(&bytes)?)?; // 400
    note.mutation = prepared.is_mutation();
    let attempt = match begin(front, version, caller, &prepared, &head.headers).await? {
        Begun::Replay(body) => return Ok(answer(media, body, true, note)),
        Begun::Run(attempt) => attempt,
    }; // 400, 409, 422
    let context = context(front, version, caller, attempt.as_ref(), request_id);
    let run = Run { front: Arc::clone(front), engine: Arc::clone(&version.engine), prepared, context, attempt };
    let (body, replayed) = run.to_its_end().await?; // 422, 500
    Ok(answer(media, body, replayed, note))
}

fn require_post(method: &Method) -> Result<(), Problem> {
    // Queries over GET would stand in the logs of every proxy, and one way to ask is enough (decisions H5).
    if method == Method::POST { Ok(()) } else { Err(Problem::method_not_allowed("POST")) }
}

/// The stage of idempotency, which only requests that create cards pass; the header says nothing on others.
async fn begin(
    front: &Front,
    version: &Version,
    caller: Admitted,
    prepared: &Prepared,
    headers: &HeaderMap,
) -> Result<Begun, Problem> {
    if !prepared.root_fields().any(|field| field == CREATES_CARDS) {
        return Ok(Begun::Run(None));
    }
    match idempotency::key_in(headers)? {
        Some(key) => idempotency::begin(front, caller.partner_id, key, prepared.fingerprint(version.name)).await,
        None => Ok(Begun::Run(None)),
    }
}

fn context(front: &Front, version: &Version, caller: Admitted, attempt: Option<&Attempt>, request_id: &str) -> Context {
    let caller = Caller {
        partner_id: caller.partner_id,
        mode: caller.mode,
        version: version.name,
        request_id: request_id.to_owned(),
        idempotency: attempt.map(Attempt::binding),
    };
    Context::new(Arc::clone(&front.services), caller)
}

/// A request that is let through, with everything it needs for itself.
struct Run {
    front: Arc<Front>,
    engine: Arc<dyn AnyEngine<Context>>,
    prepared: Prepared,
    context: Context,
    attempt: Option<Attempt>,
}

impl Run {
    /// The body of the answer, and whether it speaks of a card that an earlier attempt created.
    ///
    /// A mutation runs on a task of its own, to its end: if the caller hangs up or its time is over, its fields are not
    /// broken off half-way, its answer is remembered, and its key stays taken until then. A query is dropped at once.
    async fn to_its_end(self) -> Result<(Vec<u8>, bool), Problem> {
        if !self.prepared.is_mutation() {
            return self.run().await;
        }
        let running = self.front.running.clone();
        // The task can only end by a panic, which the panic hook has logged.
        running.spawn(self.run()).await.unwrap_or_else(|_panic| Err(Problem::internal()))
    }

    async fn run(self) -> Result<(Vec<u8>, bool), Problem> {
        let Reply { body, error_count } = self.engine.execute(&self.prepared, &self.context).await;
        let Some(attempt) = &self.attempt else { return Ok((body, false)) };
        if error_count > 0 && is_key_reused(&body) {
            return Err(Problem::key_reused());
        }
        if error_count == 0 && !self.context.user_errors() {
            attempt.remember(&self.front, &body).await;
        }
        Ok((body, self.context.replayed()))
    }
}

/// Whether the transaction found the key bound to a different request: another replica was faster than this one.
fn is_key_reused(body: &[u8]) -> bool {
    let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let errors = body["errors"].as_array();
    errors.is_some_and(|errors| errors.iter().any(|e| e["extensions"]["code"] == code::IDEMPOTENCY_KEY_REUSED))
}

/// An answer that holds data is always 200 (decisions H5).
fn answer(media: Media, body: impl Into<Bytes>, replayed: bool, note: &mut Note) -> Answer {
    note.replayed = replayed;
    let answer = Answer::new(StatusCode::OK, media.content_type(), body);
    if replayed { answer.with(REPLAY, HeaderValue::from_static("true")) } else { answer }
}
