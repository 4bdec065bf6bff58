//! From a request to its route, and from whatever comes of it to an answer.
//!
//! Called by every connection. Source: specification, section 4; decisions H1, H2, H9.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http::header::{ALLOW, CACHE_CONTROL};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use tracing::Instrument as _;

use super::accept::Media;
use super::answer::{Answer, Note};
use super::front::Front;
use super::problem::Problem;
use super::{health, media, page, partner_api};
use crate::base::{limits, request_id, trace};
use crate::model::text;
use crate::operation::{RequestLabels, Services};
use crate::web;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const READS: &str = "GET, HEAD";

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Route<'a> {
    Versions,
    Graphql {
        version: &'a str,
    },
    Schema {
        version: &'a str,
    },
    /// Below `/partner/api`, and no more than that.
    Astray {
        version: Option<&'a str>,
    },
    Media {
        key: &'a str,
    },
    /// The service's own pages, which know their own paths.
    Page {
        path: &'a str,
    },
    Live,
    Ready,
    Unknown,
}

impl<'a> Route<'a> {
    fn of(path: &'a str) -> Self {
        if let Some(key) = path.strip_prefix("/media/") {
            return Route::Media { key };
        }
        match path {
            "/partner/api" => return Route::Astray { version: None },
            "/health/live" => return Route::Live,
            "/health/ready" => return Route::Ready,
            _ => {}
        }
        let Some(rest) = path.strip_prefix("/partner/api/") else {
            return if web::is_ours(path) { Route::Page { path } } else { Route::Unknown };
        };
        match rest.split_once('/') {
            Some((version, "graphql")) => Route::Graphql { version },
            Some((version, "schema.graphql")) => Route::Schema { version },
            None if rest == "versions" => Route::Versions,
            _ => Route::Astray { version: rest.split('/').next().filter(|version| !version.is_empty()) },
        }
    }

    /// Its name in the log, where paths do not stand: some of them are secrets.
    fn name(self) -> &'static str {
        match self {
            Route::Versions => "versions",
            Route::Graphql { .. } => "graphql",
            Route::Schema { .. } => "schema",
            Route::Astray { .. } | Route::Unknown => "unknown",
            Route::Media { .. } => "media",
            Route::Page { path } => web::route_name(path),
            Route::Live => "live",
            Route::Ready => "ready",
        }
    }

    fn is_api(self) -> bool {
        matches!(self, Route::Versions | Route::Graphql { .. } | Route::Schema { .. } | Route::Astray { .. })
    }

    /// The version that the path names.
    fn version(self) -> Option<&'a str> {
        match self {
            Route::Graphql { version } | Route::Schema { version } => Some(version),
            Route::Astray { version } => version,
            _ => None,
        }
    }
}

/// A request on its way to a route, but for its body.
struct Arrival<'a> {
    head: &'a Parts,
    route: Route<'a>,
    /// `None`: the caller accepts nothing that the API answers with.
    accepted: Option<Media>,
    id: &'a str,
}

/// Answers a request, whatever happens on the way: a panic is 500, and what takes too long 503.
pub async fn serve(front: Arc<Front>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let started = Instant::now();
    let services = &front.services;
    let id = new_request_id(services);
    let (head, body) = request.into_parts();
    let accepted = Media::negotiate(&head.headers);
    let arrival = Arrival { head: &head, route: Route::of(head.uri.path()), accepted, id: &id };

    let unanswered = Unanswered(&id);
    let span = trace::request(&head.headers, head.method.as_str(), arrival.route.name(), &id);
    // Pinned here, it is not moved into each of the futures around it.
    let responding = std::pin::pin!(respond(&front, &arrival, body));
    let answer = AssertUnwindSafe(request_id::within(Arc::clone(&id), responding)).catch_unwind();
    let answer = match tokio::time::timeout(limits::REQUEST_TOTAL, answer).instrument(span.clone()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_panic)) => arrival.broken_off(&front, Problem::internal()),
        Err(_) => arrival.broken_off(&front, Problem::unavailable()),
    };
    std::mem::forget(unanswered);
    let Note { version, code, .. } = answer.note;
    trace::answered(&span, answer.status.as_u16(), version, operation(&answer.note), code);
    count(services, &arrival, &answer, started);
    log(&arrival, &answer, started);
    Ok(answer.into_response(&head.method))
}

/// `req_` and 32 hexadecimal digits.
fn new_request_id(services: &Services) -> Arc<str> {
    let mut id = *b"req_00000000000000000000000000000000";
    services.entropy.uuid(services.clock.now()).simple().encode_lower(&mut id[4..]);
    std::str::from_utf8(&id).expect("visible ASCII").into()
}

async fn respond(front: &Arc<Front>, arrival: &Arrival<'_>, body: Incoming) -> Answer {
    if arrival.route.is_api() {
        return api(front, arrival, body).await;
    }
    let is_read = matches!(arrival.head.method, Method::GET | Method::HEAD);
    match arrival.route {
        // Boxed, because every request of the API would carry room for it about.
        Route::Page { .. } => Box::pin(page::serve(front, arrival.head, body, arrival.id)).await,
        Route::Unknown => Answer::plain(StatusCode::NOT_FOUND, text::NOT_FOUND),
        _ if !is_read => Answer::plain(StatusCode::METHOD_NOT_ALLOWED, text::method_not_allowed(READS))
            .with(ALLOW, HeaderValue::from_static(READS)),
        Route::Media { key } => Box::pin(media::serve(front, key, &arrival.head.headers)).await,
        Route::Ready => Box::pin(health::ready(front)).await,
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
        (Route::Graphql { .. }, Some(version)) => {
            partner_api::walk(front, version, arrival.head, body, arrival.accepted, arrival.id, &mut note).await
        }
        (Route::Schema { .. }, Some(version)) => {
            require_read(&arrival.head.method).map(|()| version.schema(&arrival.head.headers))
        }
        (Route::Versions, _) => require_read(&arrival.head.method).map(|()| front.versions.list()),
        _ => Err(Problem::not_found()),
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

fn require_read(method: &Method) -> Result<(), Problem> {
    match *method {
        Method::GET | Method::HEAD => Ok(()),
        _ => Err(Problem::method_not_allowed(READS)),
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

    fn refused(&self, problem: Problem) -> Answer {
        // A caller that accepts nothing of ours still has to learn why it was refused.
        self.stamped(problem.into_answer(self.accepted.unwrap_or(Media::Json), self.id))
    }

    /// The answer to a request that did not come to its own end.
    fn broken_off(&self, front: &Front, problem: Problem) -> Answer {
        let mut answer = self.refused(problem);
        if self.route.is_api() {
            if let Some(Ok(version)) = self.route.version().map(|name| front.versions.find(name)) {
                version.sign(&mut answer.headers);
            }
            return answer;
        }
        if let Route::Page { .. } = self.route {
            return front.site.broken_off(answer.status == StatusCode::SERVICE_UNAVAILABLE).into();
        }
        let text = if answer.status == StatusCode::SERVICE_UNAVAILABLE { text::UNAVAILABLE } else { text::INTERNAL };
        Answer::plain(answer.status, text)
    }
}

/// A request that has no answer yet. Dropped before it has one, the caller hung up: what changes something goes on, and
/// this line is all there is to say about the rest.
struct Unanswered<'a>(&'a str);

impl Drop for Unanswered<'_> {
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
fn count(services: &Services, arrival: &Arrival<'_>, answer: &Answer, started: Instant) {
    let Route::Graphql { .. } = arrival.route else { return };
    let Note { version, code, cost, replayed, .. } = answer.note;
    let operation = operation(&answer.note);
    // A version that does not exist has a name of the caller's own choosing.
    let labels = RequestLabels { version: version.unwrap_or("none"), operation, code: code.unwrap_or("OK") };
    services.figures.request(labels, cost, replayed, started.elapsed());
}

/// One line per request. What changes something or goes wrong is worth a line at any time; queries that were answered
/// are many, and are logged at `debug`.
fn log(arrival: &Arrival<'_>, answer: &Answer, started: Instant) {
    let Note { version, partner_id, code, mutation, cost, replayed } = answer.note;
    let partner_id = partner_id.map(tracing::field::display);
    macro_rules! line {
        ($level:ident, $sentence:literal) => {
            tracing::$level!(
                request_id = arrival.id,
                method = arrival.head.method.as_str(),
                route = arrival.route.name(),
                status = answer.status.as_u16(),
                duration_ms = started.elapsed().as_micros() as f64 / 1_000.0,
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
        fn bytes<A, B, F>(_: impl Fn(A, B) -> F) -> usize {
            size_of::<F>()
        }
        let bytes = bytes(serve);
        assert!(bytes <= 5 * 1024, "{bytes} bytes");
    }

    #[test]
    fn path_leads_to_one_route_and_no_other() {
        let table = [
            ("/partner/api/2026-10/graphql", Route::Graphql { version: "2026-10" }),
            ("/partner/api/2026-10/schema.graphql", Route::Schema { version: "2026-10" }),
            ("/partner/api/versions", Route::Versions),
            ("/partner/api/versions/", Route::Astray { version: Some("versions") }),
            ("/partner/api/2026-10", Route::Astray { version: Some("2026-10") }),
            ("/partner/api/2026-10/graphql/", Route::Astray { version: Some("2026-10") }),
            ("/partner/api/2026-10/other/graphql", Route::Astray { version: Some("2026-10") }),
            ("/partner/api//graphql", Route::Graphql { version: "" }),
            ("/partner/api", Route::Astray { version: None }),
            ("/partner/api/", Route::Astray { version: None }),
            ("/partner/apis", Route::Unknown),
            ("/media/photo/a.jpeg", Route::Media { key: "photo/a.jpeg" }),
            ("/media/", Route::Media { key: "" }),
            ("/health/live", Route::Live),
            ("/health/ready", Route::Ready),
            ("/s/abc", Route::Page { path: "/s/abc" }),
            ("/kaart/abc", Route::Page { path: "/kaart/abc" }),
            ("/kaarten", Route::Unknown),
            ("/health", Route::Unknown),
            ("/", Route::Unknown),
            ("*", Route::Unknown),
        ];
        for (path, route) in table {
            assert_eq!(Route::of(path), route, "{path}");
        }
    }
}
