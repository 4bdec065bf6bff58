//! The log of steps: when each worker of this process last completed a step.
//!
//! Written by the loop of the workers; read by the check `workers` and by `/metrics`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::base::limits;

/// The workers of this process.
#[derive(Debug, Default)]
pub struct WorkerLog(Mutex<BTreeMap<&'static str, WorkerSteps>>);

/// The steps of one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerSteps {
    /// The pause between two steps.
    poll: Duration,
    /// When it last completed a step, or started.
    pub succeeded: Instant,
    /// Steps that were completed.
    pub completed: u64,
    /// Steps that ended in an error.
    pub failed: u64,
}

impl WorkerLog {
    /// Adds a worker, or starts its record again.
    pub fn start(&self, worker: &'static str, poll: Duration, now: Instant) {
        self.change(|workers| {
            workers.insert(worker, WorkerSteps { poll, succeeded: now, completed: 0, failed: 0 });
        });
    }

    /// Records the end of a step.
    pub fn step(&self, worker: &'static str, succeeded: bool, now: Instant) {
        self.change(|workers| {
            let Some(steps) = workers.get_mut(worker) else { return };
            if succeeded {
                (steps.succeeded, steps.completed) = (now, steps.completed + 1);
            } else {
                steps.failed += 1;
            }
        });
    }

    /// Returns all workers by name.
    pub fn workers(&self) -> BTreeMap<&'static str, WorkerSteps> {
        self.change(|workers| workers.clone())
    }

    /// Returns the workers that completed no step for their pause and [`limits::WORKER_SILENT_MAX`].
    pub fn silent(&self, now: Instant) -> Vec<&'static str> {
        let is_silent = |steps: &WorkerSteps| now > steps.succeeded + steps.poll + limits::WORKER_SILENT_MAX;
        self.workers().into_iter().filter(|(_, steps)| is_silent(steps)).map(|(worker, _)| worker).collect()
    }

    fn change<T>(&self, change: impl FnOnce(&mut BTreeMap<&'static str, WorkerSteps>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worker_is_silent_after_its_pause_and_the_limit() {
        let (log, start) = (WorkerLog::default(), Instant::now());
        let hour = Duration::from_secs(3_600);
        log.start("mail", Duration::from_secs(5), start);
        log.start("housekeeping", hour, start);
        let limit = start + Duration::from_secs(5) + limits::WORKER_SILENT_MAX;
        assert!(log.silent(limit).is_empty());
        let later = limit + Duration::from_secs(1);
        assert_eq!(log.silent(later), ["mail"]);
        log.step("mail", false, later);
        assert_eq!(log.silent(later), ["mail"], "a step that failed is no step that was completed");
        log.step("mail", true, later);
        assert!(log.silent(later).is_empty());
        let mail = log.workers()["mail"];
        assert_eq!((mail.completed, mail.failed), (1, 1));
        assert_eq!(log.silent(start + hour * 2), ["housekeeping", "mail"]);
    }
}
