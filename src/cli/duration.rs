//! Parsers of durations, days and timestamps on the command line.

use std::time::Duration;

use chrono::{NaiveDate, NaiveTime, TimeZone as _};
use chrono_tz::Europe::Amsterdam;

use crate::base::Timestamp;
use crate::base::limits::SECRET_OVERLAP_MAX;

/// A timestamp, or how long ago it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Since {
    Timestamp(Timestamp),
    Ago(Duration),
}

impl Since {
    /// The timestamp, given the current time.
    pub(super) fn timestamp(self, now: Timestamp) -> Timestamp {
        match self {
            Since::Timestamp(timestamp) => timestamp,
            Since::Ago(duration) => now.before(duration),
        }
    }
}

/// Parses the value of `--since`.
pub(super) fn since(text: &str) -> Result<Since, String> {
    if let Ok(ago) = duration(text) {
        return Ok(Since::Ago(ago));
    }
    let timestamp = chrono::DateTime::parse_from_rfc3339(text);
    let timestamp =
        timestamp.map_err(|_| "a timestamp such as 2026-11-21T08:00:00Z, or a span such as 24h, at most 30d")?;
    Ok(Since::Timestamp(timestamp.to_utc().into()))
}

/// Parses a number with the unit m, h or d, up to [`SECRET_OVERLAP_MAX`], which is also how long events are kept.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let form = || "a number and a unit, such as 90m, 24h or 7d".to_owned();
    let seconds = match text.chars().last() {
        Some('m') => 60,
        Some('h') => 3_600,
        Some('d') => 86_400,
        _ => return Err(form()),
    };
    let number: u32 = text[..text.len() - 1].parse().map_err(|_| form())?;
    let duration = Duration::from_secs(u64::from(number) * seconds);
    match duration <= SECRET_OVERLAP_MAX {
        true => Ok(duration),
        false => Err(format!("at most {} days", SECRET_OVERLAP_MAX.as_secs() / 86_400)),
    }
}

/// Parses a day such as `2026-01-31` to its first moment in the Netherlands.
pub(super) fn day(text: &str) -> Result<Timestamp, String> {
    let day: NaiveDate = text.parse().map_err(|_| "a day, such as 2026-01-31".to_owned())?;
    let midnight = Amsterdam.from_local_datetime(&day.and_time(NaiveTime::MIN)).earliest();
    midnight.map(|timestamp| timestamp.to_utc().into()).ok_or_else(|| "a day, such as 2026-01-31".to_owned())
}

/// The default of every `--overlap`: `limits::SECRET_OVERLAP`.
pub(super) const OVERLAP: &str = "24h";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::SECRET_OVERLAP;

    #[test]
    fn overlap_is_read_in_minutes_hours_and_days() {
        for (text, seconds) in [("0h", 0), ("90m", 5_400), ("24h", 86_400), ("30d", 2_592_000)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "h", "24", "-1h", "1.5h", "24 h", "31d", "99999999999h", "1é"] {
            assert!(duration(text).is_err(), "{text:?}");
        }
        assert_eq!(duration(OVERLAP), Ok(SECRET_OVERLAP));
    }

    #[test]
    fn since_is_a_timestamp_or_a_duration() {
        let now = Timestamp::from_millis(1_800_000_000_000).expect("a timestamp");
        let at = |text: &str| since(text).map(|since| since.timestamp(now).to_string());
        assert_eq!(at("1h").as_deref(), Ok("2027-01-15T07:00:00.000Z"));
        assert_eq!(at("2026-11-21T09:00:00+01:00").as_deref(), Ok("2026-11-21T08:00:00.000Z"));
        for text in ["", "yesterday", "2026-11-21", "2026-11-21T09:00:00", "31d"] {
            assert!(since(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn day_begins_at_midnight_in_the_netherlands() {
        assert_eq!(day("2026-07-01").map(|timestamp| timestamp.to_string()).as_deref(), Ok("2026-06-30T22:00:00.000Z"));
        for text in ["", "2026-02-30", "1-1-2026", "now"] {
            assert!(day(text).is_err(), "{text:?}");
        }
    }
}
