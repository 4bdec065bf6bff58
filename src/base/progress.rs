//! How far long work is: the steps of a command, and the count of the one that runs.
//!
//! The command plans its steps, the code that does the work begins and counts them, and the command line shows them. Work that nobody
//! follows gets `Progress::default()`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A step of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Copies the embedded database into the file of a backup.
    CopyDatabase,
    /// Runs pg_dump.
    DumpDatabase,
    /// Copies the file of a backup to the place of the database.
    RestoreDatabase,
    /// Reads a database in a backup as a whole, and compares its rows with those that were copied.
    CheckDatabase,
    /// Digests the database file of a backup.
    DigestDatabase,
    /// Copies and digests the files of an object store.
    CopyMedia,
    /// Digests the files of an object store.
    DigestMedia,
    /// Compares the files of an object store with a list.
    CompareMedia,
    /// Looks for each picture that cards and themes show.
    FindPictures,
    /// Reads a card from the restored service.
    ReadCard,
    /// Copies the rows of all tables to another database.
    CopyRows,
    /// Reads the copied rows back.
    CompareRows,
    /// Imports themes with their pictures.
    ImportThemes,
    /// Deletes cards with their photos and invitees.
    DeleteCards,
    /// Deletes people from the lists of families.
    DeleteInvitees,
    /// Makes notifications due again.
    SendAgain,
}

impl Step {
    /// What the step does, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Step::CopyDatabase => "copy the database",
            Step::DumpDatabase => "dump the database",
            Step::RestoreDatabase => "restore the database",
            Step::CheckDatabase => "check the copied database",
            Step::DigestDatabase => "digest the copied database",
            Step::CopyMedia => "copy the media",
            Step::DigestMedia => "digest the media",
            Step::CompareMedia => "compare the media",
            Step::FindPictures => "find the pictures of cards and themes",
            Step::ReadCard => "read a card",
            Step::CopyRows => "copy the rows",
            Step::CompareRows => "compare the rows",
            Step::ImportThemes => "import the themes",
            Step::DeleteCards => "delete the cards",
            Step::DeleteInvitees => "delete the people",
            Step::SendAgain => "send again",
        }
    }

    /// The unit of its count; empty if it counts nothing.
    pub const fn unit(self) -> &'static str {
        match self {
            Step::CopyDatabase | Step::DumpDatabase | Step::RestoreDatabase | Step::DigestDatabase => "bytes",
            Step::CopyMedia | Step::DigestMedia | Step::CompareMedia => "files",
            Step::FindPictures => "pictures",
            Step::CopyRows | Step::CompareRows => "rows",
            Step::ImportThemes => "themes",
            Step::DeleteCards => "cards",
            Step::DeleteInvitees => "people",
            Step::SendAgain => "notifications",
            Step::CheckDatabase | Step::ReadCard => "",
        }
    }
}

/// The steps of one command. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    planned: Vec<Step>,
    /// What an operator whose command was interrupted does.
    go_on: &'static str,
    ended: Vec<Step>,
    /// The index of the running step, with its count and its start.
    running: Option<(usize, Count, Instant)>,
}

/// The count of a step that runs.
#[derive(Clone, Debug)]
pub struct Count(Arc<Counted>);

#[derive(Debug)]
struct Counted {
    done: AtomicU64,
    /// 0 if it is not known.
    total: AtomicU64,
    /// The file whose length is the count.
    file: Option<PathBuf>,
}

impl Count {
    /// Adds to what is done.
    pub fn add(&self, more: u64) {
        self.0.done.fetch_add(more, Ordering::Relaxed);
    }

    /// Says how much there is to do.
    pub fn set_total(&self, total: u64) {
        self.0.total.store(total, Ordering::Relaxed);
    }

    fn done(&self) -> u64 {
        match &self.0.file {
            Some(file) => std::fs::metadata(file).map_or(0, |file| file.len()),
            None => self.0.done.load(Ordering::Relaxed),
        }
    }
}

/// How far the running step is.
#[derive(Clone, Debug)]
pub struct StepView {
    /// The step.
    pub step: Step,
    /// Its number, from 1.
    pub number: usize,
    /// The number of steps of the command.
    pub steps: usize,
    /// The count so far.
    pub done: u64,
    /// The count at the end, if it is known.
    pub total: Option<u64>,
    /// The time since it began.
    pub elapsed: Duration,
}

/// The steps of a command that was interrupted.
#[derive(Clone, Debug)]
pub struct Interruption {
    /// The steps that have ended.
    pub ended: Vec<Step>,
    /// The step that was running.
    pub running: StepView,
    /// The steps that have not begun.
    pub left: Vec<Step>,
    /// What the operator does, in sentences.
    pub go_on: &'static str,
}

impl Progress {
    /// Plans the steps of a command in their order. `go_on` tells an operator who interrupts it what was left, and how to go on.
    pub fn plan(&self, steps: impl IntoIterator<Item = Step>, go_on: &'static str) {
        *self.lock() = State { planned: steps.into_iter().collect(), go_on, ..State::default() };
    }

    /// Begins the next planned step of this kind, which ends the one before. Its unit is that of [`Step::unit`].
    pub fn begin(&self, step: Step, total: Option<usize>) -> Count {
        self.start(step, total.map_or(0, |total| total as u64), None)
    }

    /// Begins a step that writes a file: its length is the count. `total` is in bytes, 0 if it is not known.
    pub fn begin_file(&self, step: Step, file: &Path, total: u64) {
        self.start(step, total, Some(file.to_owned()));
    }

    fn start(&self, step: Step, total: u64, file: Option<PathBuf>) -> Count {
        let count = Count(Arc::new(Counted { done: AtomicU64::new(0), total: AtomicU64::new(total), file }));
        let mut state = self.lock();
        let next = state.running.as_ref().map_or(0, |(index, ..)| index + 1);
        let index = match state.planned.iter().skip(next).position(|planned| *planned == step) {
            Some(after) => next + after,
            None => {
                debug_assert!(state.planned.is_empty() || state.go_on.is_empty(), "{step:?} is not planned");
                state.planned.push(step);
                state.planned.len() - 1
            }
        };
        if let Some((before, ..)) = state.running.replace((index, count.clone(), Instant::now())) {
            let before = state.planned[before];
            state.ended.push(before);
        }
        count
    }

    /// Returns the running step; `None` before the first one.
    pub fn view(&self) -> Option<StepView> {
        self.lock().view()
    }

    /// Returns the steps of a command that is interrupted now; `None` before the first one.
    pub fn interruption(&self) -> Option<Interruption> {
        let state = self.lock();
        let running = state.view()?;
        let left = state.planned[running.number..].to_vec();
        Some(Interruption { ended: state.ended.clone(), running, left, go_on: state.go_on })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn view(&self) -> Option<StepView> {
        let (index, count, since) = self.running.as_ref()?;
        let total = Some(count.0.total.load(Ordering::Relaxed)).filter(|total| *total > 0);
        Some(StepView {
            step: self.planned[*index],
            number: index + 1,
            steps: self.planned.len(),
            done: count.done(),
            total,
            elapsed: since.elapsed(),
        })
    }
}
