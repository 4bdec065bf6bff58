//! A point in time with millisecond precision, as the databases store it and the API shows it (decisions V6).

use std::fmt;
use std::time::SystemTime;

use chrono::{DateTime, Duration, Utc};
use dated_graphql::{FieldError, JsonWriter, Leaf, TextScalar};

use super::rfc3339;

/// A point in time in UTC: milliseconds since the Unix epoch, within chrono's calendar. The default is the epoch.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The time `ms` milliseconds after the Unix epoch; `None` outside the calendar.
    pub fn from_millis(ms: i64) -> Option<Self> {
        const CALENDAR: (DateTime<Utc>, DateTime<Utc>) = (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC);
        const MILLIS: (i64, i64) = (CALENDAR.0.timestamp_millis(), CALENDAR.1.timestamp_millis());
        (MILLIS.0 <= ms && ms <= MILLIS.1).then_some(Self(ms))
    }

    /// Milliseconds since the Unix epoch.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// The time moved by `duration`, which may be negative.
    ///
    /// # Panics
    /// Outside the calendar.
    pub fn plus(self, duration: Duration) -> Self {
        let below_a_milli = duration.subsec_nanos() % 1_000_000;
        let ms = duration.num_milliseconds() - i64::from(below_a_milli < 0); // rounds down
        self.0.checked_add(ms).and_then(Self::from_millis).expect("within the calendar")
    }

    /// The time `time` later.
    pub fn after(self, time: std::time::Duration) -> Self {
        self.plus(length(time))
    }

    /// The time `time` earlier.
    pub fn before(self, time: std::time::Duration) -> Self {
        self.plus(-length(time))
    }

    /// The time as a chrono type.
    pub fn utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).expect("a timestamp is within the calendar")
    }
}

fn length(time: std::time::Duration) -> Duration {
    Duration::from_std(time).expect("a limit is shorter than the calendar")
}

impl From<DateTime<Utc>> for Timestamp {
    /// Truncates to milliseconds.
    fn from(timestamp: DateTime<Utc>) -> Self {
        Self(timestamp.timestamp_millis())
    }
}

impl From<SystemTime> for Timestamp {
    /// Truncates to milliseconds; the epoch if the system clock is before it.
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_millis()).expect("within the calendar"))
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&rfc3339::timestamp_text(*self)).expect("digits and signs"))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Leaf for Timestamp {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        let mut quoted = [b'"'; 26];
        quoted[1..25].copy_from_slice(&rfc3339::timestamp_text(*self));
        out.raw(&quoted);
        Ok(())
    }
}

impl TextScalar for Timestamp {
    fn read(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|timestamp| timestamp.to_utc().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_three_decimals() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_792_915_261_007, "2026-10-25T08:01:01.007Z"),
            (253_402_300_799_120, "9999-12-31T23:59:59.120Z"),
        ] {
            assert_eq!(Timestamp::from_millis(ms).expect("it is in the calendar").to_string(), text);
        }
    }

    #[test]
    fn moment_is_the_millisecond_in_which_a_time_lies() {
        let exact = |ns| DateTime::from_timestamp_nanos(ns);
        for (ns, ms) in [(1_999_999, 1), (0, 0), (-1, -1), (-1_000_000, -1)] {
            assert_eq!(Timestamp::from(exact(ns)).millis(), ms);
            assert_eq!(Timestamp(0).plus(Duration::nanoseconds(ns)).millis(), ms, "{ns} ns");
            assert_eq!(Timestamp(5).plus(Duration::nanoseconds(ns)).millis(), 5 + ms, "{ns} ns");
        }
        let end = Timestamp::from(DateTime::<Utc>::MAX_UTC);
        assert_eq!(end.utc().timestamp_millis(), end.millis());
        assert_eq!((Timestamp::from_millis(end.millis() + 1), Timestamp::from_millis(i64::MIN)), (None, None));
    }
}
