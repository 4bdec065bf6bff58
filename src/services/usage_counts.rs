//! Counting, on the path of every request: no database, nothing that all cores wait for, and a bound on the memory.
//!
//! Each core counts on a shelf of its own, so the lock that it takes is free whenever the writer is not just taking the
//! shelf down. A shelf holds a row of numbers, one for each coordinate, for everybody who called since then.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::mem::take;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, NaiveDate};
use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::{KeyMode, Usage};

/// How many shelves there are: more than most machines have cores.
const SHELVES: usize = 16;

/// Whose operations are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whose {
    pub partner_id: Uuid,
    pub mode: KeyMode,
    pub version: &'static str,
    /// Since 1970-01-01, in UTC.
    pub day: i64,
}

impl Whose {
    pub fn new(partner_id: Uuid, mode: KeyMode, version: &'static str, now: Timestamp) -> Self {
        Self { partner_id, mode, version, day: now.millis().div_euclid(86_400_000) }
    }

    fn date(&self) -> NaiveDate {
        DateTime::from_timestamp(self.day * 86_400, 0).expect("a moment has a day").date_naive()
    }
}

impl Hash for Whose {
    /// The partner alone: it has few modes and versions on a day.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (high, low) = self.partner_id.as_u64_pair();
        state.write_u64(high ^ low.rotate_left(32));
    }
}

/// The counts of a process that are not written yet.
pub struct UsageCounts {
    shelves: [Shelf; SHELVES],
    /// What the writer took down and has not written; whoever writes holds it.
    pub(super) taken: tokio::sync::Mutex<Taken>,
}

/// Alone in its cache lines, so that cores do not disturb each other.
#[derive(Default)]
#[repr(align(128))]
struct Shelf(Mutex<Rows>);

#[derive(Default)]
struct Rows {
    rows: HashMap<Whose, Row, foldhash::fast::RandomState>,
    /// Operations for which there was no room.
    missed: u64,
}

struct Row {
    coordinates: &'static [String],
    counts: Box<[u32]>,
}

/// Counts on their way to the database: for each coordinate of somebody, how many.
#[derive(Default)]
pub(super) struct Taken(BTreeMap<Place, u64>);

/// In the order in which they are written, by every replica.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    day: NaiveDate,
    version: &'static str,
    partner_id: Uuid,
    mode: KeyMode,
    coordinate: &'static str,
}

impl Default for UsageCounts {
    fn default() -> Self {
        Self { shelves: std::array::from_fn(|_| Shelf::default()), taken: tokio::sync::Mutex::default() }
    }
}

impl UsageCounts {
    /// Counts one operation. `used` are the coordinates that it uses, 64 in each word and the first in the lowest bit;
    /// `coordinates` are all of the version.
    pub fn count(&self, whose: Whose, coordinates: &'static [String], used: impl Iterator<Item = u64>) {
        let mut shelf = self.shelves[own_shelf()].lock();
        let Rows { rows, missed } = &mut *shelf;
        let room = rows.len() < limits::USAGE_ROWS_MAX / SHELVES;
        let row = match rows.get_mut(&whose) {
            Some(row) => row,
            None if room => rows.entry(whose).or_insert_with(|| Row::new(coordinates)),
            None => {
                *missed += 1;
                return;
            }
        };
        for (at, mut word) in used.enumerate() {
            while word != 0 {
                row.counts[at * 64 + word.trailing_zeros() as usize] += 1;
                word &= word - 1;
            }
        }
    }

    /// Takes all shelves down into `taken`, as far as it has room; how many operations were not counted since.
    pub(super) fn take_down(&self, taken: &mut Taken) -> u64 {
        let mut missed = 0;
        for shelf in &self.shelves {
            if taken.0.len() >= limits::USAGE_UNWRITTEN_MAX {
                break; // the database is away: the shelves fill up, and then count no more
            }
            let Rows { rows, missed: more } = take(&mut *shelf.lock());
            missed += more;
            rows.iter().for_each(|(whose, row)| taken.add(whose, row));
        }
        missed
    }
}

impl Shelf {
    fn lock(&self) -> MutexGuard<'_, Rows> {
        // Nothing that can panic half-way happens under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Row {
    #[cold]
    fn new(coordinates: &'static [String]) -> Self {
        Self { coordinates, counts: vec![0; coordinates.len()].into() }
    }
}

impl Taken {
    fn add(&mut self, whose: &Whose, row: &Row) {
        let Whose { partner_id, mode, version, .. } = *whose;
        let day = whose.date();
        for (coordinate, count) in row.coordinates.iter().zip(&row.counts).filter(|(_, count)| **count > 0) {
            let place = Place { day, version, partner_id, mode, coordinate };
            *self.0.entry(place).or_default() += u64::from(*count);
        }
    }

    /// The first counts that are to be written.
    pub fn first(&self, count_max: usize) -> Vec<Usage> {
        let usage = |(place, count): (&Place, &u64)| Usage {
            day: place.day,
            version: place.version.to_owned(),
            partner_id: place.partner_id,
            mode: place.mode,
            coordinate: place.coordinate.to_owned(),
            count: i64::try_from(*count).unwrap_or(i64::MAX),
        };
        self.0.iter().take(count_max).map(usage).collect()
    }

    /// Forgets the first counts: they are written.
    pub fn forget(&mut self, count: usize) {
        for _ in 0..count {
            self.0.pop_first();
        }
    }
}

/// The shelf of the thread that runs: threads get theirs in turn.
fn own_shelf() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    OWN.with(|own| {
        if own.get() == usize::MAX {
            own.set(THREADS.fetch_add(1, Ordering::Relaxed) % SHELVES);
        }
        own.get()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(count: usize) -> &'static [String] {
        (0..count).map(|n| format!("T.f{n}")).collect::<Vec<_>>().leak()
    }

    fn whose(partner: u128, mode: KeyMode, day: i64) -> Whose {
        Whose { partner_id: Uuid::from_u128(partner), mode, version: "2026-10", day }
    }

    /// Partner, mode, day, coordinate and count.
    type Counted = (u128, &'static str, String, String, i64);

    fn taken(counts: &UsageCounts) -> (Vec<Counted>, u64) {
        let mut taken = Taken::default();
        let missed = counts.take_down(&mut taken);
        let shown = |u: Usage| (u.partner_id.as_u128(), u.mode.as_str(), u.day.to_string(), u.coordinate, u.count);
        (taken.first(usize::MAX).into_iter().map(shown).collect(), missed)
    }

    #[test]
    fn operation_counts_once_for_each_coordinate_of_its_caller_on_its_day() {
        let (counts, all) = (UsageCounts::default(), coordinates(70));
        let words = || [0b101, 0b10].into_iter();
        for _ in 0..3 {
            counts.count(whose(1, KeyMode::Live, 0), all, words());
        }
        counts.count(whose(1, KeyMode::Test, 0), all, [1].into_iter());
        counts.count(whose(1, KeyMode::Live, 20_778), all, [1].into_iter());
        let at = |mode, day: &str, name: &str, count| (1, mode, day.to_owned(), name.to_owned(), count);
        let expected = vec![
            at("live", "1970-01-01", "T.f0", 3),
            at("live", "1970-01-01", "T.f2", 3),
            at("live", "1970-01-01", "T.f65", 3),
            at("test", "1970-01-01", "T.f0", 1),
            at("live", "2026-11-21", "T.f0", 1),
        ];
        assert_eq!(taken(&counts), (expected, 0));
        assert_eq!(taken(&counts), (vec![], 0), "what was taken is gone");
    }

    #[test]
    fn threads_count_side_by_side_and_nothing_is_lost() {
        let (counts, all) = (UsageCounts::default(), coordinates(1));
        std::thread::scope(|scope| {
            for _ in 0..SHELVES * 2 {
                let run = || (0..1_000).for_each(|_| counts.count(whose(1, KeyMode::Live, 0), all, [1].into_iter()));
                scope.spawn(run);
            }
        });
        assert_eq!(taken(&counts).0[0].4, (SHELVES * 2 * 1_000) as i64);
    }

    #[test]
    fn memory_is_bounded_and_what_finds_no_room_is_told() {
        let (counts, all) = (UsageCounts::default(), coordinates(1));
        let room = limits::USAGE_ROWS_MAX / SHELVES; // this thread's shelf
        for partner in 0..room as u128 + 5 {
            counts.count(whose(partner, KeyMode::Live, 0), all, [1].into_iter());
        }
        let (rows, missed) = taken(&counts);
        assert_eq!((rows.len(), missed), (room, 5));
    }

    #[test]
    fn shelves_stay_up_while_too_much_waits_to_be_written() {
        let counts = UsageCounts::default();
        let mut waiting = Taken::default();
        let full = Row { coordinates: coordinates(limits::USAGE_UNWRITTEN_MAX), counts: Box::default() };
        let full = Row { counts: vec![1; limits::USAGE_UNWRITTEN_MAX].into(), ..full };
        waiting.add(&whose(1, KeyMode::Live, 0), &full);
        counts.count(whose(2, KeyMode::Live, 0), coordinates(1), [1].into_iter());
        counts.take_down(&mut waiting);
        assert_eq!(waiting.0.len(), limits::USAGE_UNWRITTEN_MAX);
        assert_eq!(taken(&counts).0.len(), 1, "it is still on its shelf");
    }
}
