//! Shows how far a command is: a bar on a terminal, a line of the log every ten seconds otherwise, both on stderr; and what is left of a
//! command that is interrupted.

use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::failure::CliFailure;
use crate::base::{Interruption, Progress, Step, StepView, limits};

/// The interval between two drawings of the bar.
const DRAWN_EVERY: Duration = Duration::from_millis(100);
/// A command that is shorter draws nothing.
const DRAWN_AFTER: Duration = Duration::from_millis(500);

/// A step whose total is known, and any other.
const BAR: &str = "{prefix} [{wide_bar}] {msg}";
const SPINNER: &str = "{spinner} {prefix}, {msg}";

/// The progress of the command, and the bar that shows it.
#[derive(Debug)]
pub(super) struct ShownProgress {
    pub progress: Progress,
    /// One for each step, so that none is drawn with the words of the one before.
    bar: Mutex<ProgressBar>,
}

impl ShownProgress {
    /// The one of this process, which runs one command.
    pub(super) fn new() -> &'static Self {
        Box::leak(Box::new(Self { progress: Progress::default(), bar: Mutex::new(ProgressBar::hidden()) }))
    }

    /// Clears the bar before something else is printed.
    pub(super) fn clear(&self) {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner).finish_and_clear();
    }

    /// Runs a command to its end, or to the signal that interrupts it.
    pub(super) async fn follow<T>(
        &self,
        command: impl Future<Output = Result<T, CliFailure>>,
    ) -> Result<T, CliFailure> {
        let on_terminal = !ProgressDrawTarget::stderr().is_hidden(); // indicatif asks whether it is a terminal
        let every = if on_terminal { DRAWN_EVERY } else { limits::PROGRESS_LOGGED_EVERY };
        let first = if on_terminal { DRAWN_AFTER } else { every };
        let began = Instant::now();
        let mut ticks = interval_at(began + first, every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let (mut command, mut drawn) = (pin!(command), None);
        let done = loop {
            tokio::select! {
                biased;
                done = &mut command => break done,
                kind = first_of(&mut interrupt, &mut terminate) => {
                    break Err(CliFailure::Interrupted { signal: kind, at: self.progress.interruption().map(Box::new) });
                }
                _ = ticks.tick() => match on_terminal {
                    true => self.draw(&mut drawn),
                    false => log(self.progress.view(), began.elapsed()),
                },
            }
        };
        self.clear();
        done
    }

    /// Draws the bar, unless the command has printed its result. `drawn`: the number of the step that it showed last, and whether its
    /// total was known.
    fn draw(&self, drawn: &mut Option<(usize, bool)>) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if bar.is_finished() {
            return;
        }
        let view = self.progress.view();
        let shape = view.as_ref().map_or((0, false), |view| (view.number, view.total.is_some()));
        if drawn.replace(shape) != Some(shape) {
            bar.finish_and_clear();
            *bar = new_bar(view.as_ref());
        }
        match view {
            None => bar.set_message(HumanDuration(bar.elapsed()).to_string()),
            Some(view) => {
                bar.set_message(describe_count(&view));
                bar.set_length(view.total.unwrap_or_default().max(view.done));
                bar.set_position(view.done);
            }
        }
        bar.tick();
    }
}

/// Returns the bar of a step, or of a command that has not begun one.
fn new_bar(view: Option<&StepView>) -> ProgressBar {
    let (template, words) = match view {
        None => (SPINNER, "working".to_owned()),
        Some(view) => {
            let template = if view.total.is_some() { BAR } else { SPINNER };
            (template, format!("[{}/{}] {}", view.number, view.steps, view.step.words()))
        }
    };
    let style = ProgressStyle::with_template(template).expect("the templates are correct");
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_elapsed(DRAWN_AFTER);
    let message = view.map_or(String::new(), describe_count);
    bar.with_style(style.progress_chars("=> ").tick_chars("-\\|/ ")).with_prefix(words).with_message(message)
}

/// The count of a step, its rate and the time left, or how long it has been running: `12/40 files, 3/s, 9s left`.
fn describe_count(view: &StepView) -> String {
    let StepView { step, done, total, elapsed, .. } = view;
    let (per_second, left) = estimate(view);
    let amount = |count: u64| match step.unit() {
        "bytes" => HumanBytes(count).to_string(),
        _ => HumanCount(count).to_string(),
    };
    let unit = match step.unit() {
        "" => return HumanDuration(*elapsed).to_string(),
        "bytes" => String::new(),
        unit => format!(" {unit}"),
    };
    let (done, rate) = (amount(*done), amount(per_second as u64));
    match total {
        None => format!("{done}{unit}, {rate}/s, {:#}", HumanDuration(*elapsed)),
        Some(total) => {
            let left = left.map_or(String::new(), |left| format!(", {:#} left", HumanDuration(left)));
            format!("{done}/{}{unit}, {rate}/s{left}", amount(*total))
        }
    }
}

/// The counted units a second since the step began, and the time left; `None` without a total, or before the first one.
fn estimate(view: &StepView) -> (f64, Option<Duration>) {
    let per_second = view.done as f64 / view.elapsed.as_secs_f64().max(0.001);
    let left = view.total.filter(|_| view.done > 0).map(|total| total.saturating_sub(view.done) as f64 / per_second);
    (per_second, left.map(|seconds| Duration::from_secs(seconds as u64)))
}

/// Logs the running step with the fields of the bar, or for how long the command has been running.
fn log(view: Option<StepView>, running: Duration) {
    let Some(view) = view else {
        return tracing::info!(seconds = running.as_secs(), "the command is running");
    };
    let (per_second, left) = estimate(&view);
    let StepView { step, number, steps, done, total, elapsed } = view;
    let (step, unit, seconds, per_second) = (step.words(), step.unit(), elapsed.as_secs(), per_second.round());
    let seconds_left = left.map(|left| left.as_secs());
    tracing::info!(step, number, steps, done, total, unit, per_second, seconds, seconds_left, "the command is running");
}

async fn first_of(interrupt: &mut Signal, terminate: &mut Signal) -> SignalKind {
    tokio::select! {
        _ = interrupt.recv() => SignalKind::interrupt(),
        _ = terminate.recv() => SignalKind::terminate(),
    }
}

/// What was done, what was not, and how to go on.
pub(super) fn describe(at: &Interruption) -> String {
    let Interruption { ended, running, left, go_on } = at;
    let StepView { step, number, steps, done, total, .. } = running;
    let far = match (step.unit(), total) {
        ("", _) => String::new(),
        (unit, None) => format!(", {done} {unit}"),
        (unit, Some(total)) => format!(", {done} of {total} {unit}"),
    };
    let list = |name: &str, steps: &[Step]| match steps {
        [] => String::new(),
        steps => format!(" {name}: {}.", steps.iter().map(|step| step.words()).collect::<Vec<_>>().join(", ")),
    };
    let (step, ended, left) = (step.words(), list("Done", ended), list("Not begun", left));
    format!("Interrupted in step {number} of {steps}, {step}{far}.{ended}{left} {go_on}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Step; 16] = [
        Step::CopyDatabase,
        Step::DumpDatabase,
        Step::RestoreDatabase,
        Step::CheckDatabase,
        Step::DigestDatabase,
        Step::CopyMedia,
        Step::DigestMedia,
        Step::CompareMedia,
        Step::FindPictures,
        Step::ReadCard,
        Step::CopyRows,
        Step::CompareRows,
        Step::ImportThemes,
        Step::DeleteCards,
        Step::DeleteInvitees,
        Step::SendAgain,
    ];

    #[test]
    fn every_step_can_be_drawn_with_and_without_its_total() {
        let shown = ShownProgress::new();
        let (progress, mut drawn) = (&shown.progress, None);
        shown.draw(&mut drawn);
        progress.plan(ALL, "");
        for (index, step) in ALL.into_iter().enumerate() {
            let count = progress.begin(step, None);
            shown.draw(&mut drawn);
            count.set_total(7);
            count.add(3);
            shown.draw(&mut drawn);
            log(progress.view(), Duration::ZERO);
            let view = progress.view().expect("a step runs");
            let words = describe_count(&StepView { elapsed: Duration::from_secs(2), ..view });
            let right = match step.unit() {
                "" => "2 seconds".to_owned(),
                "bytes" => "3 B/7 B, 1 B/s, 2s left".to_owned(),
                unit => format!("3/7 {unit}, 1/s, 2s left"),
            };
            assert_eq!(words, right, "{step:?}");
            let bar = shown.bar.lock().expect("nothing panics");
            assert_eq!((drawn, bar.position(), bar.length()), (Some((index + 1, true)), 3, Some(7)), "{step:?}");
        }
    }

    #[test]
    fn interruption_names_what_was_done_and_what_was_not() {
        let progress = Progress::default();
        progress
            .plan([Step::DigestDatabase, Step::CheckDatabase, Step::CopyMedia, Step::CompareMedia], "Run it again.");
        assert!(progress.interruption().is_none());
        let said = || describe(&progress.interruption().expect("a step runs"));
        progress.begin(Step::DigestDatabase, Some(10)).add(4);
        let right = "Interrupted in step 1 of 4, digest the copied database, 4 of 10 bytes. Not begun: check the copied database, copy the \
                     media, compare the media. Run it again.";
        assert_eq!(said(), right);
        // A step that was left out is neither done nor left.
        progress.begin(Step::CopyMedia, None).add(2);
        let right = "Interrupted in step 3 of 4, copy the media, 2 files. Done: digest the copied database. Not begun: compare the media. \
                     Run it again.";
        assert_eq!(said(), right);
    }
}
