//! Where log lines go: readable on a terminal, JSON to everything else; always to stderr, never personal.
//!
//! Called by the commands, before anything else.

use std::io::{self, IsTerminal as _};
use std::panic::PanicHookInfo;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// Starts the log of the process; `rust_log` is what `RUST_LOG` says, and `default` what holds without it.
///
/// A filter that cannot be read counts as none here: the settings report it, beside whatever else is wrong with them.
/// A second start changes nothing.
pub fn start_telemetry(rust_log: Option<&str>, default: &'static str) {
    let given = rust_log.filter(|text| !text.is_empty()).and_then(|text| filter(text).ok());
    let filter = given.unwrap_or_else(|| EnvFilter::new(default));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match io::stderr().is_terminal() {
        true => subscriber.try_init(),
        false => subscriber.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init(),
    };
    if started.is_ok() {
        std::panic::set_hook(Box::new(log_panic));
    }
}

/// Reads a filter.
pub(super) fn filter(text: &str) -> Result<EnvFilter, ParseError> {
    EnvFilter::builder().parse(text)
}

/// A panic is a mistake of ours: its place is logged. Its text only where that was written by us, because a text that
/// was put together may hold what a caller sent.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(tracing::field::display);
    let text = panic.payload().downcast_ref::<&'static str>();
    let backtrace = std::backtrace::Backtrace::capture();
    tracing::error!(place, text, %backtrace, "the code panicked");
}
