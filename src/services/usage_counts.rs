//! Counts in memory which coordinates of the schema each partner uses.
//!
//! `http` counts every operation that starts to run; the usage worker drains the counts into the database. Memory is bounded:
//! counts are dropped while the map is full, and the number of dropped operations is logged.

use std::collections::BTreeMap;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, NaiveDate};
use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::model::{KeyMode, Usage};

/// The operations that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsageKey {
    /// The partner that sent the operations.
    pub partner_id: Uuid,
    /// The mode of its key.
    pub mode: KeyMode,
    /// The version of the API.
    pub version: &'static str,
    /// Days since 1970-01-01, in UTC.
    pub day: i64,
}

impl UsageKey {
    /// Returns the key for operations at `now`.
    pub fn new(partner_id: Uuid, mode: KeyMode, version: &'static str, now: Timestamp) -> Self {
        Self { partner_id, mode, version, day: now.millis().div_euclid(86_400_000) }
    }

    /// The day of the operations.
    pub(super) fn date(&self) -> NaiveDate {
        DateTime::from_timestamp(self.day * 86_400, 0).expect("a timestamp has a day").date_naive()
    }
}

/// The counts of this process that are not written to the database yet.
#[derive(Default)]
pub struct UsageCounts {
    counted: Mutex<Counted>,
    /// Drained and not written; the writer holds the lock while it writes.
    pub drained: tokio::sync::Mutex<Drained>,
}

#[derive(Default)]
struct Counted {
    counts: BTreeMap<UsageKey, Counts>,
    /// Operations that were not counted because the map was full.
    dropped: u64,
}

/// The counts of one key: one number for each coordinate of its version.
struct Counts {
    coordinates: &'static [&'static str],
    numbers: Box<[u32]>,
}

/// Counts on their way to the database.
#[derive(Default)]
pub struct Drained(BTreeMap<UsageRow, u64>);

/// The key of a row in the database, ordered as rows are written, so that two replicas cannot deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct UsageRow {
    day: NaiveDate,
    version: &'static str,
    partner_id: Uuid,
    mode: KeyMode,
    coordinate: &'static str,
}

impl UsageCounts {
    /// Counts one operation. `used` is a bit set over `coordinates`, which are all coordinates of the version: 64 in each
    /// number, the first in the lowest bit.
    pub fn count(&self, key: UsageKey, coordinates: &'static [&'static str], used: impl Iterator<Item = u64>) {
        let mut counted = self.lock();
        let Counted { counts, dropped } = &mut *counted;
        if counts.len() >= limits::USAGE_ROWS_MAX && !counts.contains_key(&key) {
            *dropped += 1;
            return;
        }
        let counts = counts.entry(key).or_insert_with(|| Counts::new(coordinates));
        for (index, mut bits) in used.enumerate() {
            while bits != 0 {
                counts.numbers[index * 64 + bits.trailing_zeros() as usize] += 1;
                bits &= bits - 1;
            }
        }
    }

    /// Moves all counts into `drained`, unless that is full. Returns how many operations were dropped since the last time.
    pub fn drain(&self, drained: &mut Drained) -> u64 {
        if drained.0.len() >= limits::USAGE_UNWRITTEN_MAX {
            return 0; // the database is unavailable: the map fills up, and further operations are dropped
        }
        let Counted { counts, dropped } = take(&mut *self.lock());
        counts.iter().for_each(|(key, counts)| drained.add(key, counts));
        dropped
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn new(coordinates: &'static [&'static str]) -> Self {
        Self { coordinates, numbers: vec![0; coordinates.len()].into() }
    }
}

impl Drained {
    fn add(&mut self, key: &UsageKey, counts: &Counts) {
        let UsageKey { partner_id, mode, version, .. } = *key;
        let day = key.date();
        for (coordinate, count) in counts.coordinates.iter().zip(&counts.numbers).filter(|(_, count)| **count > 0) {
            let row = UsageRow { day, version, partner_id, mode, coordinate };
            *self.0.entry(row).or_default() += u64::from(*count);
        }
    }

    /// Returns the first counts to write.
    pub fn first(&self, count_max: usize) -> Vec<Usage> {
        let usage = |(row, count): (&UsageRow, &u64)| Usage {
            day: row.day,
            version: row.version.to_owned(),
            partner_id: row.partner_id,
            mode: row.mode,
            coordinate: row.coordinate.to_owned(),
            count: i64::try_from(*count).unwrap_or(i64::MAX),
        };
        self.0.iter().take(count_max).map(usage).collect()
    }

    /// Removes the first counts, which are written.
    pub fn remove_first(&mut self, count: usize) {
        for _ in 0..count {
            self.0.pop_first();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(count: usize) -> &'static [&'static str] {
        (0..count).map(|n| &*format!("T.f{n}").leak()).collect::<Vec<_>>().leak()
    }

    fn key(partner: u128, mode: KeyMode, day: i64) -> UsageKey {
        UsageKey { partner_id: Uuid::from_u128(partner), mode, version: "2026-10", day }
    }

    /// Partner, mode, day, coordinate and count.
    type Shown = (u128, &'static str, String, String, i64);

    fn drain(counts: &UsageCounts) -> (Vec<Shown>, u64) {
        let mut drained = Drained::default();
        let dropped = counts.drain(&mut drained);
        let shown = |u: Usage| (u.partner_id.as_u128(), u.mode.as_str(), u.day.to_string(), u.coordinate, u.count);
        (drained.first(usize::MAX).into_iter().map(shown).collect(), dropped)
    }

    #[test]
    fn counts_beyond_the_limit_are_dropped_and_reported() {
        let (counts, all) = (UsageCounts::default(), coordinates(1));
        for partner in 0..limits::USAGE_ROWS_MAX as u128 + 5 {
            counts.count(key(partner, KeyMode::Live, 0), all, [1].into_iter());
        }
        let (rows, dropped) = drain(&counts);
        assert_eq!((rows.len(), dropped), (limits::USAGE_ROWS_MAX, 5));
    }

    #[test]
    fn counts_are_not_drained_while_too_many_are_unwritten() {
        let counts = UsageCounts::default();
        let mut unwritten = Drained::default();
        let coordinates_max = coordinates(limits::USAGE_UNWRITTEN_MAX);
        let full = Counts { coordinates: coordinates_max, numbers: vec![1; limits::USAGE_UNWRITTEN_MAX].into() };
        unwritten.add(&key(1, KeyMode::Live, 0), &full);
        counts.count(key(2, KeyMode::Live, 0), coordinates(1), [1].into_iter());
        counts.drain(&mut unwritten);
        assert_eq!(unwritten.0.len(), limits::USAGE_UNWRITTEN_MAX);
        assert_eq!(drain(&counts).0.len(), 1, "it is still in the map");
    }
}
