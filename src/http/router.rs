//! From a request to its route, and from whatever comes of it to an answer.
//!
//! Called by every connection. Source: specification, section 4; decisions H1, H2, H9.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt as _;
use http::header::{ALLOW, CACHE_CONTROL, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use tracing::Instrument as _;

use super::accept::Media;
use super::answer::{Answer, RequestLog};
use super::answer_body::AnswerBody;
use super::api_error::ApiError;
use super::app_state::AppState;
use super::idle_timer::IdleTimer;
use super::request_head::{RequestHead, Time};
use super::route::Route;
use super::timeout::timeout;
use super::{health, media, page, partner_api};
use crate::base::{Timestamp, limits, request_id, trace};
use crate::model::text;
use crate::operation::Services;
use crate::services::RequestLabels;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const READS: &str = "GET, HEAD";

/// Answers a request, whatever happens on the way: a panic is 500, and what takes too long 503.
pub async fn serve(
    state: Arc<AppState>,
    idle_timer: &Arc<IdleTimer>,
    request: Request<Incoming>,
) -> Result<Response<AnswerBody>, Infallible> {
    let services = &state.services;
    let time = Time { instant: Instant::now(), moment: services.clock.now() };
    let id = new_request_id(services, time.moment);
    let (parts, body) = request.into_parts();
    let accepted = Media::negotiate(&parts.headers);
    let head = RequestHead {
        parts: &parts,
        route: Route::of(parts.uri.path()),
        accepted,
        id: &id,
        time,
        client: idle_timer.client(),
    };

    let unanswered = DisconnectLog(&id);
    let span = trace::request(&parts.headers, parts.method.as_str(), head.route.name(), &id);
    // Pinned here, it is not moved into each of the futures around it.
    let responding = std::pin::pin!(respond(&state, &head, body));
    let answer = AssertUnwindSafe(request_id::within(Arc::clone(&id), responding)).catch_unwind();
    let answer = match timeout(limits::REQUEST_TOTAL, answer).instrument(span.clone()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_panic)) => head.broken_off(&state, ApiError::internal()),
        Err(_) => head.broken_off(&state, ApiError::unavailable()),
    };
    std::mem::forget(unanswered);
    let mut answer = answer.headed(&parts.method);
    let mut reservation = state.answer_bytes.reserve(answer.body.reserved_bytes());
    if reservation.is_none() {
        if head.may_be_repeated(&answer) {
            answer = head.broken_off(&state, ApiError::unavailable()).headed(&parts.method);
        }
        reservation = Some(state.answer_bytes.reserve_always(answer.body.reserved_bytes()));
    }
    let RequestLog { version, code, .. } = answer.note;
    trace::answered(&span, answer.status.as_u16(), version, operation(&answer.note), code);
    count(services, &head, &answer);
    log(&head, &answer);
    Ok(answer.into_response(idle_timer, &state.answer_bytes, reservation))
}

/// `req_` and 32 hexadecimal digits.
fn new_request_id(services: &Services, now: Timestamp) -> Arc<str> {
    let mut id = *b"req_00000000000000000000000000000000";
    services.entropy.uuid(now).simple().encode_lower(&mut id[4..]);
    std::str::from_utf8(&id).expect("visible ASCII").into()
}

async fn respond(state: &Arc<AppState>, head: &RequestHead<'_>, body: Incoming) -> Answer {
    if state.answer_bytes.is_full() && head.needs_memory() {
        return head.broken_off(state, ApiError::unavailable());
    }
    if head.route.is_api() {
        return api(state, head, body).await;
    }
    let is_read = matches!(head.parts.method, Method::GET | Method::HEAD);
    match head.route {
        // Boxed, because every request of the API would carry room for it about.
        Route::Page { .. } => Box::pin(page::serve(state, head, body)).await,
        Route::Unknown => Answer::plain(StatusCode::NOT_FOUND, text::NOT_FOUND),
        _ if !is_read => Answer::plain(StatusCode::METHOD_NOT_ALLOWED, text::method_not_allowed(READS))
            .with(ALLOW, HeaderValue::from_static(READS)),
        Route::Media { key } => Box::pin(media::serve(state, key, head.parts)).await,
        Route::Ready => Box::pin(state.health.ready()).await,
        _ => health::live(),
    }
}

/// Everything below `/partner/api`: the version first (decisions H3), and decisions H2's headers on whatever comes.
async fn api(state: &Arc<AppState>, head: &RequestHead<'_>, body: Incoming) -> Answer {
    let version = match head.route.version().map(|name| state.versions.find(name)).transpose() {
        Ok(version) => version,
        Err(unknown) => return head.refused(unknown),
    };
    let mut note = RequestLog { version: version.map(|version| version.name), ..RequestLog::default() };
    let outcome = match (head.route, version) {
        (Route::Graphql { .. }, Some(version)) => {
            partner_api::handle_graphql(state, version, head, body, &mut note).await
        }
        (Route::Schema { .. }, Some(version)) => {
            require_read(&head.parts.method).map(|()| version.schema(&head.parts.headers))
        }
        (Route::Versions, _) => require_read(&head.parts.method).map(|()| state.versions.list()),
        _ => Err(ApiError::not_found()),
    };
    let mut answer = match outcome {
        Ok(answer) => head.stamped(answer),
        Err(error) => head.refused(error),
    };
    if let Some(version) = version {
        version.sign(&mut answer.headers);
    }
    answer.note = RequestLog { code: answer.note.code, ..note };
    answer
}

fn require_read(method: &Method) -> Result<(), ApiError> {
    match *method {
        Method::GET | Method::HEAD => Ok(()),
        _ => Err(ApiError::method_not_allowed(READS)),
    }
}

impl RequestHead<'_> {
    /// An answer of the API: nothing of it is kept unless it says so itself.
    fn stamped(&self, mut answer: Answer) -> Answer {
        let id = HeaderValue::try_from(self.id).expect("an id is visible ASCII");
        answer.headers.insert(REQUEST_ID, id);
        answer.headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        answer
    }

    fn refused(&self, error: ApiError) -> Answer {
        // A caller that accepts nothing of ours still has to learn why it was refused.
        self.stamped(error.into_answer(self.accepted.unwrap_or(Media::Json), self.id))
    }

    /// Whether the answer needs memory of its own, which can be foreseen: health checks and schemas need none.
    fn needs_memory(&self) -> bool {
        matches!(self.route, Route::Graphql { .. } | Route::Media { .. } | Route::Page { .. })
    }

    /// Whether the answer may be withheld for want of memory: the request has changed nothing, and can be sent again.
    fn may_be_repeated(&self, answer: &Answer) -> bool {
        match self.route {
            Route::Live | Route::Ready => false,
            Route::Page { .. } => matches!(self.parts.method, Method::GET | Method::HEAD),
            _ => !answer.note.mutation,
        }
    }

    /// The answer to a request that did not come to its own end.
    fn broken_off(&self, state: &AppState, error: ApiError) -> Answer {
        let mut answer = self.refused(error);
        if self.route.is_api() {
            if let Some(Ok(version)) = self.route.version().map(|name| state.versions.find(name)) {
                version.sign(&mut answer.headers);
            }
            return answer;
        }
        let is_unavailable = answer.status == StatusCode::SERVICE_UNAVAILABLE;
        let answer = match self.route {
            Route::Page { .. } => state.site.broken_off(is_unavailable).into(),
            _ if is_unavailable => Answer::plain(answer.status, text::UNAVAILABLE),
            _ => Answer::plain(answer.status, text::INTERNAL),
        };
        if is_unavailable { answer.with(RETRY_AFTER, limits::RETRY_UNAVAILABLE.as_secs().into()) } else { answer }
    }
}

/// A request that has no answer yet. Dropped before it has one, the caller hung up: what changes something goes on, and
/// this line is all there is to say about the rest.
struct DisconnectLog<'a>(&'a str);

impl Drop for DisconnectLog<'_> {
    fn drop(&mut self) {
        tracing::info!(request_id = self.0, "a caller hung up before it was answered");
    }
}

/// What was asked for; `none`, where it did not come so far.
fn operation(note: &RequestLog) -> &'static str {
    match (note.mutation, note.cost) {
        (true, _) => "mutation",
        (false, Some(_)) => "query",
        (false, None) => "none",
    }
}

/// Counts what is asked of the partner API.
fn count(services: &Services, head: &RequestHead, answer: &Answer) {
    let Route::Graphql { .. } = head.route else { return };
    let RequestLog { version, code, cost, replayed, .. } = answer.note;
    let operation = operation(&answer.note);
    // A version that does not exist has a name of the caller's own choosing.
    let labels = RequestLabels { version: version.unwrap_or("none"), operation, code: code.unwrap_or("OK") };
    services.metrics.request(labels, cost, replayed, head.time.instant.elapsed());
}

/// One line per request. What changes something or goes wrong is worth a line at any time; queries that were answered
/// are many, and are logged at `debug`.
fn log(head: &RequestHead<'_>, answer: &Answer) {
    let RequestLog { version, partner_id, code, mutation, cost, replayed } = answer.note;
    let partner_id = partner_id.map(tracing::field::display);
    macro_rules! line {
        ($level:ident, $sentence:literal) => {
            tracing::$level!(
                request_id = head.id,
                method = head.parts.method.as_str(),
                route = head.route.name(),
                status = answer.status.as_u16(),
                duration_ms = head.time.instant.elapsed().as_micros() as f64 / 1_000.0,
                version,
                partner_id,
                code,
                mutation,
                cost,
                replayed,
                $sentence
            )
        };
    }
    match answer.status.as_u16() {
        500.. => line!(warn, "a request failed"),
        400.. => line!(info, "a request was refused"),
        _ if code.is_some() => line!(info, "a request was refused"),
        _ if mutation => line!(info, "a mutation was answered"),
        _ => line!(debug, "a request was answered"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn future_of_a_request_is_small_because_it_is_moved_about() {
        fn bytes<A, B, C, F>(_: impl Fn(A, B, C) -> F) -> usize {
            size_of::<F>()
        }
        let bytes = bytes(|state, idle_timer: &'static Arc<IdleTimer>, request| serve(state, idle_timer, request));
        assert!(bytes <= 5 * 1024, "{bytes} bytes");
    }
}
