//! Routes each request to its handler, logs the response and sends it.
//!
//! Called for every connection. Source: specification, section 4; decisions H1, H2, H9.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use dated_graphql_http::{ResponseType, has_content_coding};
use futures_util::FutureExt as _;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, RETRY_AFTER, STRICT_TRANSPORT_SECURITY};
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode, Version};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::{self, timeout_at};
use uuid::Uuid;

use super::api_error::ApiError;
use super::connection_table::Client;
use super::content;
use super::idle_timer::IdleTimer;
use super::response_body::ResponseBody;
use super::server::{AppState, Handler};
use super::{health, media, partner_api};
use crate::base::{Holder, limits, request_id};
use crate::model::{Route, messages, path};
use crate::request::{BodyError, RequestHead};
use crate::response::{self, RequestLog, Response, ResponseExt as _};
use crate::services::{RequestLabels, Services};
use crate::web::FormReservation;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const READS: &str = "GET, HEAD";

impl Handler for AppState {
    /// Answers a request: with 500 if its handler panics, with 503 if it takes too long.
    async fn handle(&self, idle_timer: &Arc<IdleTimer>, parts: &Parts, body: Incoming) -> http::Response<ResponseBody> {
        let started = Instant::now();
        let id = new_request_id(&self.services);
        let path = path::normalize(parts.uri.path());
        let (route, client) = (Route::parse(&path), idle_timer.client().map(Client::address));
        let head = RequestHead { parts, route, id: &id, client, started };

        let mut disconnect = DisconnectLog { request_id: &id, is_answered: false };
        let timer = RequestTimer::start(limits::REQUEST_TOTAL);
        let handler = request_id::within(Arc::clone(&id), handle(self, &head, body, &timer));
        let handler = pin!(AssertUnwindSafe(handler).catch_unwind());
        let finished = timer.run(handler).await;
        let may_leave_body = !matches!(finished, Some(Ok(_)));
        let response = match finished {
            Some(Ok(response)) => response,
            Some(Err(_panic)) => fail(self, &head, ApiError::internal()),
            None => fail(self, &head, ApiError::unavailable()),
        };
        disconnect.is_answered = true;
        let mut response = response.for_method(&parts.method);
        let RequestLog { partner_id, test, .. } = log_of(&response);
        let partner = partner_id.map(|id| Holder::Partner { id, test });
        let mut held = self.response_bytes.reserve([partner, client.map(Holder::Client)]);
        if !held.grow_to(response.body().reserved_bytes()) {
            if is_repeatable(&head, &response) {
                response = fail(self, &head, ApiError::unavailable()).for_method(&parts.method);
            }
            held.force_to(response.body().reserved_bytes());
        }
        if let Some(https_only) = &self.https_only {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, https_only.clone());
        }
        if parts.version < Version::HTTP_2 && (self.health.is_draining() || may_leave_body) {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        record(&self.services, &head, &response);
        let form = response.extensions_mut().remove::<Arc<FormReservation>>();
        response.map(|content| ResponseBody::new(content, idle_timer, held, form))
    }
}

pub(super) fn new_request_id(services: &Services) -> Arc<str> {
    let id = services.entropy.uuid(services.clock.now()).simple();
    ["req_", id.encode_lower(&mut Uuid::encode_buffer())].concat().into()
}

/// Calls the handler of the route. Handlers are boxed here, once, because their futures are large and moved often.
async fn handle(state: &AppState, head: &RequestHead<'_>, body: Incoming, timer: &RequestTimer) -> Response {
    if !head.names_its_host() {
        return match head.route.is_api() {
            true => refuse(head, ApiError::host()),
            false => response::plain(StatusCode::BAD_REQUEST, messages::HOST_INVALID),
        };
    }
    if state.response_bytes.is_full() && needs_memory(head.route) {
        return fail(state, head, ApiError::unavailable());
    }
    match head.route {
        route if route.is_api() => Box::pin(handle_api(state, head, body)).await,
        Route::Page(page) => Box::pin(state.site.serve(page, head, pieces(body, head, timer))).await,
        _ if !head.is_read() => {
            let response = response::plain(StatusCode::METHOD_NOT_ALLOWED, messages::method_not_allowed(READS));
            response.with(ALLOW, HeaderValue::from_static(READS))
        }
        Route::Media { key } => Box::pin(media::serve(&state.services.media, key, head)).await,
        Route::Ready => Box::pin(state.health.ready()).await,
        _ => health::live(),
    }
}

/// Handles a request below `/partner/api`. Each response has the headers of decisions H2 and of its version (H3).
async fn handle_api(state: &AppState, head: &RequestHead<'_>, mut body: Incoming) -> Response {
    let found = head.route.version().map(|name| state.versions.find(name)).transpose();
    let version = found.as_ref().ok().copied().flatten();
    let mut log = RequestLog { version: version.map(|version| version.name), ..RequestLog::default() };
    let outcome = match (head.route, found) {
        (_, Err(unknown)) => Err(unknown),
        (Route::Graphql { .. }, Ok(Some(version))) => {
            partner_api::handle_graphql(state, version, head, &mut body, &mut log).await
        }
        (Route::Schema { .. }, Ok(Some(version))) => require_read(head).map(|()| version.schema(head.headers())),
        (Route::Versions, _) => require_read(head).map(|()| state.versions.list()),
        _ => Err(ApiError::not_found()),
    };
    let mut response = match outcome {
        Ok(response) => with_api_headers(head, response),
        Err(error) => {
            let is_late = error.status() == StatusCode::REQUEST_TIMEOUT;
            let is_whole = !is_late && content::discard(head.headers(), &mut body).await;
            let mut refusal = refuse(head, error);
            if !is_whole && head.parts.version < Version::HTTP_2 {
                refusal.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            refusal
        }
    };
    if let Some(version) = version {
        version.add_headers(response.headers_mut());
    }
    log.code = log_of(&response).code;
    response.extensions_mut().insert(log);
    response
}

fn require_read(head: &RequestHead<'_>) -> Result<(), ApiError> {
    if head.is_read() { Ok(()) } else { Err(ApiError::method_not_allowed(READS)) }
}

/// The body of a page request in pieces, each of which restarts the timer. A compressed body ends in an error: no browser
/// compresses forms.
pub(super) fn pieces<'a>(
    body: Incoming,
    head: &RequestHead<'_>,
    timer: &'a RequestTimer,
) -> BoxStream<'a, Result<Bytes, BodyError>> {
    let pieces = body.into_data_stream().map(|piece| {
        timer.restart();
        piece.map_err(|_| BodyError::BrokenOff)
    });
    let is_coded = has_content_coding(head.headers()) || content::has_unknown_transfer_coding(head.headers());
    let end = is_coded.then_some(Err(BodyError::BrokenOff));
    pieces.chain(stream::iter(end)).boxed()
}

/// Adds the request id, and `no-store` unless the response says otherwise.
fn with_api_headers(head: &RequestHead<'_>, mut response: Response) -> Response {
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response.with(REQUEST_ID, HeaderValue::try_from(head.id).expect("an id is visible ASCII"))
}

/// The response of an error of the API, in JSON if the client accepts neither type.
fn refuse(head: &RequestHead<'_>, error: ApiError) -> Response {
    let response_type = ResponseType::negotiate(head.headers()).unwrap_or(ResponseType::Json);
    with_api_headers(head, error.into_response(response_type, head.id))
}

/// The response to a request whose handler did not finish, in the form of its route.
fn fail(state: &AppState, head: &RequestHead<'_>, error: ApiError) -> Response {
    if head.route.is_api() {
        let mut refusal = refuse(head, error);
        if let Some(Ok(version)) = head.route.version().map(|name| state.versions.find(name)) {
            version.add_headers(refusal.headers_mut());
        }
        return refusal;
    }
    let status = error.status();
    let is_unavailable = status == StatusCode::SERVICE_UNAVAILABLE;
    let response = match head.route {
        Route::Page(_) => state.site.render_failure(status),
        _ if is_unavailable => response::plain(status, messages::UNAVAILABLE),
        _ => response::plain(status, messages::INTERNAL),
    };
    if is_unavailable { response.with(RETRY_AFTER, limits::RETRY_UNAVAILABLE.as_secs().into()) } else { response }
}

/// Whether memory is reserved for responses of the route. Health checks and schemas need none.
fn needs_memory(route: Route<'_>) -> bool {
    matches!(route, Route::Graphql { .. } | Route::Media { .. } | Route::Page(_))
}

/// Whether the response may be replaced by 503 for lack of memory: the request changed nothing and can be repeated.
fn is_repeatable(head: &RequestHead<'_>, response: &Response) -> bool {
    match head.route {
        Route::Live | Route::Ready => false,
        // A form that changed something redirects, and so does a link that works once.
        Route::Page(_) => !response.status().is_redirection() && !log_of(response).mutation,
        _ => !log_of(response).mutation,
    }
}

/// Logs when the client disconnects before the response.
struct DisconnectLog<'a> {
    request_id: &'a str,
    is_answered: bool,
}

impl Drop for DisconnectLog<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            tracing::info!(request_id = self.request_id, "a client disconnected before the response");
        }
    }
}

/// Counts an answered request for the metrics, and logs it.
pub(super) fn record(services: &Services, head: &RequestHead<'_>, response: &Response) {
    let (log, status) = (log_of(response), response.status());
    count_request(services, head, status, &log);
    log_request(head, status, &log);
}

fn log_of(response: &Response) -> RequestLog {
    response.extensions().get().copied().unwrap_or_default()
}

/// The kind of operation; `none` if the request was refused before its document was prepared.
fn operation_kind(log: &RequestLog) -> &'static str {
    match (log.mutation, log.cost) {
        (true, _) => "mutation",
        (false, Some(_)) => "query",
        (false, None) => "none",
    }
}

/// Counts requests for the metrics, except health checks and requests for the SDL.
fn count_request(services: &Services, head: &RequestHead<'_>, status: StatusCode, log: &RequestLog) {
    match head.route {
        Route::Graphql { .. } => {
            // Unknown versions are not labels: callers choose their names.
            let version = log.version.unwrap_or("none");
            let labels = RequestLabels { version, operation: operation_kind(log), code: log.code.unwrap_or("OK") };
            services.metrics.request(labels, log.cost, log.replayed, head.started.elapsed());
        }
        Route::Page(_) | Route::Media { .. } | Route::Admin => {
            services.metrics.page(head.route.name(), status.as_u16(), head.started.elapsed());
        }
        _ => {}
    }
}

/// Writes one line per request: mutations and errors at `info` or `warn`, other requests at `debug`.
fn log_request(head: &RequestHead<'_>, status: StatusCode, log: &RequestLog) {
    let RequestLog { version, partner_id, code, mutation, cost, replayed, .. } = *log;
    let partner_id = partner_id.map(tracing::field::display);
    macro_rules! line {
        ($level:ident, $sentence:literal) => {
            tracing::$level!(
                request_id = head.id,
                method = head.method().as_str(),
                route = head.route.name(),
                status = status.as_u16(),
                duration_ms = head.started.elapsed().as_micros() as f64 / 1_000.0,
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
    match status.as_u16() {
        500.. => line!(warn, "a request failed"),
        400.. => line!(info, "a request was refused"),
        _ if code.is_some() => line!(info, "a request was refused"),
        _ if mutation => line!(info, "a mutation was answered"),
        _ => line!(debug, "a request was answered"),
    }
}

/// The timer of one request.
pub(super) struct RequestTimer {
    total: Duration,
    started: Mutex<time::Instant>,
}

impl RequestTimer {
    pub(super) fn start(total: Duration) -> Self {
        Self { total, started: Mutex::new(time::Instant::now()) }
    }

    /// Starts the time again.
    pub(super) fn restart(&self) {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = time::Instant::now();
    }

    fn deadline(&self) -> time::Instant {
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) + self.total
    }

    /// Returns the output of `handler`, or `None` if it takes too long.
    pub(super) async fn run<T>(&self, mut handler: Pin<&mut impl Future<Output = T>>) -> Option<T> {
        loop {
            let deadline = self.deadline();
            if let Ok(output) = timeout_at(deadline, handler.as_mut()).await {
                return Some(output);
            }
            if self.deadline() <= deadline {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTAL: Duration = Duration::from_millis(200);

    #[tokio::test]
    async fn time_counts_from_the_last_restart() {
        let timer = RequestTimer::start(TOTAL);
        let sending = async {
            for _ in 0..6 {
                tokio::time::sleep(TOTAL / 2).await;
                timer.restart();
            }
        };
        assert_eq!(timer.run(pin!(sending)).await, Some(()));
        assert_eq!(timer.run(pin!(std::future::pending::<()>())).await, None);
    }
}
