//! Where log lines go: readable on a terminal, JSON to everything else; always to stderr, never personal.
//!
//! Called by the commands, before anything else.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::panic::PanicHookInfo;

use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::fmt::format::{DefaultFields, Format, FormatEvent, FormatFields, Json, JsonFields, Writer};
use tracing_subscriber::fmt::{FmtContext, MakeWriter, SubscriberBuilder};
use tracing_subscriber::registry::LookupSpan;

use crate::base::request_id;

/// Starts the log of the process; `rust_log` is what `RUST_LOG` says, and `default` what holds without it.
///
/// A filter that cannot be read counts as none here: the settings report it, beside whatever else is wrong with them.
/// A second start changes nothing.
pub fn start_telemetry(rust_log: Option<&str>, default: &'static str) {
    let given = rust_log.filter(|text| !text.is_empty()).and_then(|text| filter(text).ok());
    let filter = given.unwrap_or_else(|| EnvFilter::new(default));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match io::stderr().is_terminal() {
        true => subscriber.map_event_format(|lines| WithRequestId { lines, json: false }).try_init(),
        false => json(subscriber).try_init(),
    };
    if started.is_ok() {
        std::panic::set_hook(Box::new(log_panic));
    }
}

/// One JSON object per line.
fn json<F, W: for<'w> MakeWriter<'w> + 'static>(
    subscriber: SubscriberBuilder<DefaultFields, Format, F, W>,
) -> SubscriberBuilder<JsonFields, WithRequestId<Format<Json>>, F, W> {
    let lines = subscriber.json().flatten_event(true).with_current_span(true).with_span_list(false);
    lines.map_event_format(|lines| WithRequestId { lines, json: true })
}

/// Lines that name the request they were written for, where there is one.
struct WithRequestId<L> {
    lines: L,
    /// Whether a line is a JSON object.
    json: bool,
}

impl<S, N, L> FormatEvent<S, N> for WithRequestId<L>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    L: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let Some(id) = request_id::current() else { return self.lines.format_event(context, writer, event) };
        if !self.json {
            write!(writer, "{id} ")?;
            return self.lines.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.lines.format_event(context, Writer::new(&mut line), event)?;
        let members = line.trim_end().strip_suffix('}').ok_or(fmt::Error)?;
        writeln!(writer, "{members},\"request_id\":\"{id}\"}}")
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::Value;

    use super::*;

    /// Keeps what is logged.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("one thread").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn line_names_the_request_it_was_written_for_and_no_other() {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = json(tracing_subscriber::fmt().with_writer(move || writer.clone())).finish();
        let _default = tracing::subscriber::set_default(subscriber);
        tracing::info!(card_id = "c", "before");
        request_id::within("req_1".into(), async { tracing::info!(card_id = "c", "during") }).await;
        tracing::info!("after");
        let text = String::from_utf8(kept.0.lock().expect("one thread").clone()).expect("UTF-8");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let told: Vec<_> = lines.iter().map(|line| (&line["message"], &line["request_id"])).collect();
        assert_eq!(told[0], (&"before".into(), &Value::Null));
        assert_eq!(told[1], (&"during".into(), &"req_1".into()));
        assert_eq!(told[2], (&"after".into(), &Value::Null));
        assert_eq!(lines[1]["card_id"], "c");
    }
}
