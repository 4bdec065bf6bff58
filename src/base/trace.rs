//! Spans of traces, for a collector of the operator's: requests, what they do with PostgreSQL, and attempts to deliver.
//!
//! Called by the front door, the store, the outbound client and the webhook worker; `app` sends them on where a collector is
//! named. Where none is, a span costs a look at one word of memory. Nothing of a partner's input, no path and no token
//! is in one. Source: W3C Trace Context; the semantic conventions of OpenTelemetry.

use http::HeaderMap;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::field::Empty;
use tracing::instrument::Instrumented;
use tracing::{Instrument as _, Level, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// What all our spans are filtered by: at a level at which nothing is logged.
pub const TARGET: &str = "card_service::trace";

macro_rules! span {
    ($name:literal, $($field:tt)*) => {
        tracing::trace_span!(target: TARGET, $name, $($field)*)
    };
}

/// Whether anybody looks.
fn is_on() -> bool {
    tracing::enabled!(target: TARGET, Level::TRACE)
}

/// The span of a request. It belongs to the trace that a proxy before us began, if one did; whether that trace is sent is
/// still our own choice.
pub fn request(headers: &HeaderMap, method: &str, route: &'static str, request_id: &str) -> Span {
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
    let _ = span.set_parent(before); // an error: nobody looks any more
    span
}

/// How a request was answered.
pub fn answered(span: &Span, status: u16, version: Option<&str>, operation: &str, code: Option<&str>) {
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

/// Does what the store is asked for, as a part of what asks. Workers ask all the time: a trace of that helps nobody.
pub fn store<F: Future>(name: &'static str, work: F) -> Instrumented<F> {
    let wanted = is_on() && !Span::current().is_none();
    let span = match wanted {
        true => span!("store", otel.name = name, otel.kind = "client", db.system.name = "postgresql"),
        false => Span::none(),
    };
    work.instrument(span)
}

/// Fetches something from an address that a partner gave, as a part of its request.
pub fn fetch<F: Future>(work: F) -> Instrumented<F> {
    work.instrument(span!("fetch", otel.kind = "client"))
}

/// Does on a task of its own what a request is to be answered with.
pub fn carried<F: Future>(work: F) -> Instrumented<F> {
    work.instrument(if is_on() { Span::current() } else { Span::none() })
}

/// The span of an attempt to deliver a notification.
pub fn attempt(topic: &'static str, number: i64) -> Span {
    span!(
        "deliver",
        otel.kind = "client",
        otel.status_code = Empty,
        topic,
        attempt = number,
        http.response.status_code = Empty,
    )
}

/// What a receiver answered, if it did.
pub fn received(span: &Span, status: Option<u16>) {
    if let Some(status) = status {
        span.record("http.response.status_code", i64::from(status));
    }
    if !status.is_some_and(|status| (200..300).contains(&status)) {
        span.record("otel.status_code", "ERROR");
    }
}
