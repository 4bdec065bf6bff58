//! The log on stderr: text on a terminal, JSON otherwise; without personal data.
//!
//! Called by the commands first.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::panic::PanicHookInfo;

use tracing::{Event, Subscriber};
use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::fmt::format::{Format, FormatEvent, FormatFields, Json, JsonFields, Writer};
use tracing_subscriber::fmt::{FmtContext, MakeWriter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry};

use crate::base::{request_id, trim_invisible};

/// Starts the log. `rust_log` is the value of `RUST_LOG`, and `default` the filter without it.
///
/// An invalid filter is ignored here: the settings report it with all other errors. A second call has no effect.
pub fn start_log(rust_log: Option<&str>, default: &'static str) {
    let given = rust_log.map(trim_invisible).filter(|text| !text.is_empty()).and_then(|text| filter(text).ok());
    let filter = given.unwrap_or_else(|| filter(default).expect("the default is a filter"));
    let lines: Box<dyn Layer<Registry> + Send + Sync> = match io::stderr().is_terminal() {
        true => {
            let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
            lines.map_event_format(|lines| WithRequestId { lines, json: false }).boxed()
        }
        false => json(io::stderr).boxed(),
    };
    // A global filter, so that disabled spans cost nothing.
    if tracing_subscriber::registry().with(lines).with(filter).try_init().is_ok() {
        std::panic::set_hook(Box::new(log_panic));
    }
}

/// Returns a layer that writes one JSON object per line.
fn json<S, W>(writer: W) -> tracing_subscriber::fmt::Layer<S, JsonFields, WithRequestId<Format<Json>>, W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'w> MakeWriter<'w> + 'static,
{
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).json();
    let lines = lines.flatten_event(true).with_current_span(true).with_span_list(false);
    lines.map_event_format(|lines| WithRequestId { lines, json: true })
}

/// Adds the id of the current request to each line.
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

/// Parses a filter.
pub(super) fn filter(text: &str) -> Result<Targets, ParseError> {
    text.parse()
}

/// Logs the location of a panic, and its message only if that is a literal: a formatted message may contain input.
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

    /// Captures the log.
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
        let subscriber = tracing_subscriber::registry().with(json(move || writer.clone()));
        let _default = tracing::subscriber::set_default(subscriber);
        tracing::info!(card_id = "c", "before");
        request_id::within("req_1".into(), async { tracing::info!(card_id = "c", "during") }).await;
        tracing::info!("after");
        let text = String::from_utf8(kept.0.lock().expect("one thread").clone()).expect("UTF-8");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let found: Vec<_> = lines.iter().map(|line| (&line["message"], &line["request_id"])).collect();
        assert_eq!(found[0], (&"before".into(), &Value::Null));
        assert_eq!(found[1], (&"during".into(), &"req_1".into()));
        assert_eq!(found[2], (&"after".into(), &Value::Null));
        assert_eq!(lines[1]["card_id"], "c");
    }
}
