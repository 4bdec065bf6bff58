//! Shows how far a command is: a bar on a terminal, a line of the log every ten seconds otherwise, both on stderr; and what is left of a
//! command that is interrupted.

use std::pin::pin;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::failure::CliFailure;
use crate::base::{Interruption, Progress, Step, StepView, limits};

/// The interval between two drawings of the bar.
const DRAWN_EVERY: Duration = Duration::from_millis(100);
/// A command that is shorter draws nothing.
const DRAWN_AFTER: Duration = Duration::from_millis(500);

const COUNTED: &str = "{prefix} {msg} [{wide_bar}] {human_pos}/{human_len} UNIT, {per_sec}, {eta} left";
const BYTES: &str = "{prefix} {msg} [{wide_bar}] {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left";
const UNTIL_UNKNOWN: &str = "{spinner} {prefix} {msg}, {human_pos} UNIT, {per_sec}, {elapsed}";
const BYTES_UNTIL_UNKNOWN: &str = "{spinner} {prefix} {msg}, {bytes}, {bytes_per_sec}, {elapsed}";
const UNCOUNTED: &str = "{spinner} {prefix} {msg}, {elapsed}";

/// The progress of the command, and the bar that shows it.
#[derive(Debug)]
pub(super) struct ShownProgress {
    pub progress: Progress,
    bar: ProgressBar,
}

impl ShownProgress {
    /// The one of this process, which runs one command.
    pub(super) fn new() -> &'static Self {
        // indicatif draws nothing if stderr is no terminal.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Box::leak(Box::new(Self { progress: Progress::default(), bar }))
    }

    /// Clears the bar before something else is printed.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Runs a command to its end, or to the signal that interrupts it.
    pub(super) async fn follow<T>(
        &self,
        command: impl Future<Output = Result<T, CliFailure>>,
    ) -> Result<T, CliFailure> {
        let on_terminal = !self.bar.is_hidden();
        let every = if on_terminal { DRAWN_EVERY } else { limits::PROGRESS_LOGGED_EVERY };
        let first = if on_terminal { DRAWN_AFTER } else { every };
        let mut ticks = interval_at(Instant::now() + first, every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let (mut command, mut drawn) = (pin!(command), None);
        let done = loop {
            tokio::select! {
                biased;
                done = &mut command => break done,
                kind = first_of(&mut interrupt, &mut terminate) => {
                    break Err(CliFailure::Interrupted { signal: kind, at: self.progress.interruption() });
                }
                _ = ticks.tick() => match on_terminal {
                    true => self.draw(&mut drawn),
                    false => log(self.progress.view()),
                },
            }
        };
        self.clear();
        done
    }

    /// Draws the bar. `drawn`: the number of the step that it showed last, and whether its total was known.
    fn draw(&self, drawn: &mut Option<(usize, bool)>) {
        let Some(view) = self.progress.view() else {
            if drawn.replace((0, false)).is_none() {
                self.bar.set_style(style(UNCOUNTED, ""));
                self.bar.set_message("working");
            }
            return self.bar.tick();
        };
        let shape = (view.number, view.total.is_some());
        if drawn.replace(shape) != Some(shape) {
            self.bar.reset();
            let template = match (view.step.unit(), view.total) {
                ("", _) => UNCOUNTED,
                ("bytes", None) => BYTES_UNTIL_UNKNOWN,
                ("bytes", Some(_)) => BYTES,
                (_, None) => UNTIL_UNKNOWN,
                (_, Some(_)) => COUNTED,
            };
            self.bar.set_style(style(template, view.step.unit()));
            self.bar.set_prefix(format!("[{}/{}]", view.number, view.steps));
            self.bar.set_message(view.step.words());
        }
        if let Some(total) = view.total {
            self.bar.set_length(total.max(view.done));
        }
        self.bar.set_position(view.done);
        self.bar.tick();
    }
}

fn style(template: &str, unit: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(&template.replace("UNIT", unit)).expect("the templates are correct");
    style.progress_chars("=> ").tick_chars("-\\|/ ")
}

/// Logs the running step with the fields of the bar.
fn log(view: Option<StepView>) {
    let Some(StepView { step, number, steps, done, total, elapsed }) = view else { return };
    let per_second = done as f64 / elapsed.as_secs_f64().max(0.001);
    let left = total.filter(|_| done > 0).map(|total| total.saturating_sub(done) as f64 / per_second);
    let seconds_left = left.map(|seconds| seconds as u64);
    let (step, unit, seconds) = (step.words(), step.unit(), elapsed.as_secs());
    let per_second = per_second.round();
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

    const ALL: [Step; 15] = [
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
            log(progress.view());
            assert_eq!(
                (drawn, shown.bar.position(), shown.bar.length()),
                (Some((index + 1, true)), 3, Some(7)),
                "{step:?}"
            );
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
