//! Progress bars on stderr, for people at a terminal.
//!
//! Used by commands that process many items or wait for one long operation. Nothing is drawn with `--json`, or if stderr is
//! not a terminal. Only this module names indicatif.

use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::time::{Instant, interval_at};

use super::output::Output;

/// Nothing is drawn before this time.
const SILENT: Duration = Duration::from_millis(400);
const ROUND: Duration = Duration::from_millis(100);

/// A progress bar with a number of items. It clears its line when its last owner drops it.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(all: usize, what: &'static str, output: Output) -> Self {
        let bar = ProgressBar::with_draw_target(u64::try_from(all).ok(), target(output));
        bar.set_style(measured());
        bar.set_prefix(what);
        bar.tick(); // the first item may be slow
        Self(bar)
    }

    /// A progress bar for a number of items that is not known.
    pub(super) fn unmeasured(what: &'static str, output: Output) -> Self {
        let style = ProgressStyle::with_template("{spinner} {prefix}, {elapsed}, {pos} done");
        let bar = ProgressBar::with_draw_target(None, target(output));
        bar.set_style(style.expect("the template is right"));
        bar.set_prefix(what);
        bar.tick();
        Self(bar)
    }

    /// Sets the number of items once it is known.
    pub(super) fn measure(&self, all: usize) {
        self.0.set_length(u64::try_from(all).unwrap_or(u64::MAX));
        self.0.set_style(measured());
    }

    /// Adds finished items.
    pub(super) fn advance(&self, done: usize) {
        self.0.inc(u64::try_from(done).unwrap_or(u64::MAX));
    }
}

fn measured() -> ProgressStyle {
    ProgressStyle::with_template("{prefix} {wide_bar} {pos} of {len}, {eta} left").expect("the template is right")
}

/// Waits for work of unknown length.
pub(super) async fn waiting<F: Future>(what: &'static str, output: Output, work: F) -> F::Output {
    spin(what, output, work, String::new).await
}

/// Waits for work that writes a file, and shows its size.
pub(super) async fn writing<F: Future>(file: &Path, what: &'static str, output: Output, work: F) -> F::Output {
    let size = || std::fs::metadata(file).map_or_else(|_| String::new(), |file| HumanBytes(file.len()).to_string());
    spin(what, output, work, size).await
}

async fn spin<F: Future>(what: &'static str, output: Output, work: F, message: impl Fn() -> String) -> F::Output {
    let style = ProgressStyle::with_template("{spinner} {prefix}, {elapsed} {msg}").expect("the template is right");
    let bar = ProgressBar::with_draw_target(None, target(output)).with_style(style).with_prefix(what);
    let (mut work, mut rounds) = (pin!(work), interval_at(Instant::now() + SILENT, ROUND));
    loop {
        tokio::select! {
            out = &mut work => return out,
            _ = rounds.tick() => {
                bar.set_message(message());
                bar.tick();
            }
        }
    }
}

/// indicatif hides the bar itself if stderr is not a terminal.
fn target(output: Output) -> ProgressDrawTarget {
    if output.json { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() }
}
