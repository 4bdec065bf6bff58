//! Spans of traces: requests, work in PostgreSQL and attempts to deliver. `app` sends them to the collector that the
//! operator names.
//!
//! Used by the HTTP server, the store, the outbound client and the webhook worker. Without a collector a span costs one
//! atomic load. A span contains no input of a partner, no path and no token. Source: W3C Trace Context; the semantic
//! conventions of OpenTelemetry.

use http::HeaderMap;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::field::Empty;
use tracing::instrument::Instrumented;
use tracing::{Instrument as _, Level, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The target of all spans, at a level at which nothing is logged.
pub(crate) const TARGET: &str = "card_service::trace";

macro_rules! span {
    ($name:literal, $($field:tt)*) => {
        tracing::trace_span!(target: TARGET, $name, $($field)*)
    };
}

/// Whether spans are recorded.
fn is_on() -> bool {
    tracing::enabled!(target: TARGET, Level::TRACE)
}

/// The span of a request. It continues the trace of a proxy, if the request has one; whether that trace is sent is decided
/// here.
pub(crate) fn request(headers: &HeaderMap, method: &str, route: &'static str, request_id: &str) -> Span {
    if !is_on() {
        return Span::none();
    }
    let span = span!(
        "request",
        otel.name = route,
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        request_id,
        version = Empty,
        operation = Empty,
        code = Empty,
    );
    let before = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    let _ = span.set_parent(before); // fails only when nothing is recorded
    span
}

/// Records how a request was answered.
pub(crate) fn answered(span: &Span, status: u16, version: Option<&str>, operation: &str, code: Option<&str>) {
    if span.is_disabled() {
        return;
    }
    span.record("http.response.status_code", i64::from(status)).record("operation", operation);
    if let Some(version) = version {
        span.record("version", version);
    }
    if let Some(code) = code {
        span.record("code", code);
    }
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// Runs work of the store as a child of the current span. Workers poll all the time, so their work is not recorded.
pub(crate) fn store<F: Future>(name: &'static str, work: F) -> Instrumented<F> {
    let wanted = is_on() && !Span::current().is_none();
    let span = match wanted {
        true => span!("store", otel.name = name, otel.kind = "client", db.system.name = "postgresql"),
        false => Span::none(),
    };
    work.instrument(span)
}

/// Runs a fetch from a partner's address as a child of the current span.
pub(crate) fn fetch<F: Future>(work: F) -> Instrumented<F> {
    work.instrument(span!("fetch", otel.kind = "client"))
}

/// Runs the work of a request on a task of its own.
pub(crate) fn carried<F: Future>(work: F) -> Instrumented<F> {
    work.instrument(if is_on() { Span::current() } else { Span::none() })
}

/// The span of an attempt to deliver a notification.
pub(crate) fn attempt(topic: &'static str, number: i64) -> Span {
    span!(
        "deliver",
        otel.kind = "client",
        otel.status_code = Empty,
        topic,
        attempt = number,
        http.response.status_code = Empty,
    )
}

/// Records the response of a receiver, if any.
pub(crate) fn received(span: &Span, status: Option<u16>) {
    if let Some(status) = status {
        span.record("http.response.status_code", i64::from(status));
    }
    if !status.is_some_and(|status| (200..300).contains(&status)) {
        span.record("otel.status_code", "ERROR");
    }
}
