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
use super::activity::Activity;
use super::answer::{Answer, Note};
use super::answer_body::AnswerBody;
use super::arrival::{Arrival, Time};
use super::front::Front;
use super::problem::ApiError;
use super::route::Route;
use super::timeout::timeout;
use super::{health, media, page, partner_api};
use crate::base::{Timestamp, limits, request_id, trace};
use crate::model::text;
use crate::operation::{RequestLabels, Services};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const READS: &str = "GET, HEAD";

/// Answers a request, whatever happens on the way: a panic is 500, and what takes too long 503.
pub async fn serve(
    front: Arc<Front>,
    activity: &Arc<Activity>,
    request: Request<Incoming>,
) -> Result<Response<AnswerBody>, Infallible> {
    let services = &front.services;
    let time = Time { instant: Instant::now(), moment: services.clock.now() };
    let id = new_request_id(services, time.moment);
    let (head, body) = request.into_parts();
    let accepted = Media::negotiate(&head.headers);
    let arrival =
        Arrival { head: &head, route: Route::of(head.uri.path()), accepted, id: &id, time, client: activity.client() };

    let unanswered = DisconnectLog(&id);
    let span = trace::request(&head.headers, head.method.as_str(), arrival.route.name(), &id);
    // Pinned here, it is not moved into each of the futures around it.
    let responding = std::pin::pin!(respond(&front, &arrival, body));
    let answer = AssertUnwindSafe(request_id::within(Arc::clone(&id), responding)).catch_unwind();
    let answer = match timeout(limits::REQUEST_TOTAL, answer).instrument(span.clone()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_panic)) => arrival.broken_off(&front, ApiError::internal()),
        Err(_) => arrival.broken_off(&front, ApiError::unavailable()),
    };
    std::mem::forget(unanswered);
    let mut answer = answer.headed(&head.method);
    let mut reservation = front.answer_bytes.reserve(answer.body.reserved_bytes());
    if reservation.is_none() {
        if arrival.may_be_repeated(&answer) {
            answer = arrival.broken_off(&front, ApiError::unavailable()).headed(&head.method);
        }
        reservation = Some(front.answer_bytes.reserve_always(answer.body.reserved_bytes()));
    }
    let Note { version, code, .. } = answer.note;
    trace::answered(&span, answer.status.as_u16(), version, operation(&answer.note), code);
    count(services, &arrival, &answer);
    log(&arrival, &answer);
    Ok(answer.into_response(activity, &front.answer_bytes, reservation))
}

/// `req_` and 32 hexadecimal digits.
fn new_request_id(services: &Services, now: Timestamp) -> Arc<str> {
    let mut id = *b"req_00000000000000000000000000000000";
    services.entropy.uuid(now).simple().encode_lower(&mut id[4..]);
    std::str::from_utf8(&id).expect("visible ASCII").into()
}

async fn respond(front: &Arc<Front>, arrival: &Arrival<'_>, body: Incoming) -> Answer {
    if front.answer_bytes.is_full() && arrival.needs_memory() {
        return arrival.broken_off(front, ApiError::unavailable());
    }
    if arrival.route.is_api() {
        return api(front, arrival, body).await;
    }
    let is_read = matches!(arrival.head.method, Method::GET | Method::HEAD);
    match arrival.route {
        // Boxed, because every request of the API would carry room for it about.
        Route::Page { .. } => Box::pin(page::serve(front, arrival, body)).await,
        Route::Unknown => Answer::plain(StatusCode::NOT_FOUND, text::NOT_FOUND),
        _ if !is_read => Answer::plain(StatusCode::METHOD_NOT_ALLOWED, text::method_not_allowed(READS))
            .with(ALLOW, HeaderValue::from_static(READS)),
        Route::Media { key } => Box::pin(media::serve(front, key, arrival.head)).await,
        Route::Ready => Box::pin(front.health.ready()).await,
        _ => health::live(),
    }
}

/// Everything below `/partner/api`: the version first (decisions H3), and decisions H2's headers on whatever comes.
async fn api(front: &Arc<Front>, arrival: &Arrival<'_>, body: Incoming) -> Answer {
    let version = match arrival.route.version().map(|name| front.versions.find(name)).transpose() {
        Ok(version) => version,
        Err(unknown) => return arrival.refused(unknown),
    };
    let mut note = Note { version: version.map(|version| version.name), ..Note::default() };
    let outcome = match (arrival.route, version) {
        (Route::Graphql { .. }, Some(version)) => partner_api::walk(front, version, arrival, body, &mut note).await,
        (Route::Schema { .. }, Some(version)) => {
            require_read(&arrival.head.method).map(|()| version.schema(&arrival.head.headers))
        }
        (Route::Versions, _) => require_read(&arrival.head.method).map(|()| front.versions.list()),
        _ => Err(ApiError::not_found()),
    };
    let mut answer = match outcome {
        Ok(answer) => arrival.stamped(answer),
        Err(problem) => arrival.refused(problem),
    };
    if let Some(version) = version {
        version.sign(&mut answer.headers);
    }
    answer.note = Note { code: answer.note.code, ..note };
    answer
}

fn require_read(method: &Method) -> Result<(), ApiError> {
    match *method {
        Method::GET | Method::HEAD => Ok(()),
        _ => Err(ApiError::method_not_allowed(READS)),
    }
}

impl Arrival<'_> {
    /// An answer of the API: nothing of it is kept unless it says so itself.
    fn stamped(&self, mut answer: Answer) -> Answer {
        let id = HeaderValue::try_from(self.id).expect("an id is visible ASCII");
        answer.headers.insert(REQUEST_ID, id);
        answer.headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        answer
    }

    fn refused(&self, problem: ApiError) -> Answer {
        // A caller that accepts nothing of ours still has to learn why it was refused.
        self.stamped(problem.into_answer(self.accepted.unwrap_or(Media::Json), self.id))
    }

    /// Whether the answer needs memory of its own, which can be foreseen: health checks and schemas need none.
    fn needs_memory(&self) -> bool {
        matches!(self.route, Route::Graphql { .. } | Route::Media { .. } | Route::Page { .. })
    }

    /// Whether the answer may be withheld for want of memory: the request has changed nothing, and can be sent again.
    fn may_be_repeated(&self, answer: &Answer) -> bool {
        match self.route {
            Route::Live | Route::Ready => false,
            Route::Page { .. } => matches!(self.head.method, Method::GET | Method::HEAD),
            _ => !answer.note.mutation,
        }
    }

    /// The answer to a request that did not come to its own end.
    fn broken_off(&self, front: &Front, problem: ApiError) -> Answer {
        let mut answer = self.refused(problem);
        if self.route.is_api() {
            if let Some(Ok(version)) = self.route.version().map(|name| front.versions.find(name)) {
                version.sign(&mut answer.headers);
            }
            return answer;
        }
        let is_unavailable = answer.status == StatusCode::SERVICE_UNAVAILABLE;
        let answer = match self.route {
            Route::Page { .. } => front.site.broken_off(is_unavailable).into(),
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
fn operation(note: &Note) -> &'static str {
    match (note.mutation, note.cost) {
        (true, _) => "mutation",
        (false, Some(_)) => "query",
        (false, None) => "none",
    }
}

/// Counts what is asked of the partner API.
fn count(services: &Services, arrival: &Arrival, answer: &Answer) {
    let Route::Graphql { .. } = arrival.route else { return };
    let Note { version, code, cost, replayed, .. } = answer.note;
    let operation = operation(&answer.note);
    // A version that does not exist has a name of the caller's own choosing.
    let labels = RequestLabels { version: version.unwrap_or("none"), operation, code: code.unwrap_or("OK") };
    services.figures.request(labels, cost, replayed, arrival.time.instant.elapsed());
}

/// One line per request. What changes something or goes wrong is worth a line at any time; queries that were answered
/// are many, and are logged at `debug`.
fn log(arrival: &Arrival<'_>, answer: &Answer) {
    let Note { version, partner_id, code, mutation, cost, replayed } = answer.note;
    let partner_id = partner_id.map(tracing::field::display);
    macro_rules! line {
        ($level:ident, $sentence:literal) => {
            tracing::$level!(
                request_id = arrival.id,
                method = arrival.head.method.as_str(),
                route = arrival.route.name(),
                status = answer.status.as_u16(),
                duration_ms = arrival.time.instant.elapsed().as_micros() as f64 / 1_000.0,
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
        let bytes = bytes(|front, activity: &'static Arc<Activity>, request| serve(front, activity, request));
        assert!(bytes <= 5 * 1024, "{bytes} bytes");
    }
}
