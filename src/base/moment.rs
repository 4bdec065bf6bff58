//! A moment in time, to the millisecond: what both databases keep and the API shows (decisions V6).

use std::fmt;

use chrono::{DateTime, Duration, SubsecRound, Utc};

/// A moment in UTC, to the millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(DateTime<Utc>);

impl Moment {
    /// The moment `ms` milliseconds after the Unix epoch; `None` beyond the calendar.
    pub fn from_millis(ms: i64) -> Option<Self> {
        DateTime::from_timestamp_millis(ms).map(Self)
    }

    /// Milliseconds since the Unix epoch.
    pub fn millis(self) -> i64 {
        self.0.timestamp_millis()
    }

    /// This moment moved by `duration`, which may be negative.
    pub fn plus(self, duration: Duration) -> Self {
        Self::from(self.0 + duration)
    }

    /// The moment `time` later: limits are written as the standard library's durations.
    pub fn after(self, time: std::time::Duration) -> Self {
        self.plus(length(time))
    }

    /// The moment `time` earlier.
    pub fn before(self, time: std::time::Duration) -> Self {
        self.plus(-length(time))
    }

    /// The moment as chrono has it.
    pub fn utc(self) -> DateTime<Utc> {
        self.0
    }
}

fn length(time: std::time::Duration) -> Duration {
    Duration::from_std(time).expect("a limit is shorter than the calendar")
}

impl From<DateTime<Utc>> for Moment {
    fn from(moment: DateTime<Utc>) -> Self {
        Self(moment.trunc_subsecs(3))
    }
}

impl fmt::Display for Moment {
    /// RFC 3339, UTC, exactly three decimals, `Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%dT%H:%M:%S%.3fZ"))
    }
}
