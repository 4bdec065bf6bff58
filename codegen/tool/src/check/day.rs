//! Days, as far as a schema's life needs them: to compare, to count back, to read and to write `YYYY-MM-DD`.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day of the Gregorian calendar, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i64);

impl Day {
    /// Today, in UTC.
    #[allow(clippy::disallowed_methods)] // a tool of the build: the server's clock is not at hand, and tests give the day
    pub fn today() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_secs() / 86_400).unwrap_or_default())
    }

    /// Reads `2026-10-01`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits =
            text.bytes().enumerate().all(|(at, b)| if at == 4 || at == 7 { b == b'-' } else { b.is_ascii_digit() });
        if text.len() != 10 || !digits {
            return None;
        }
        let part = |from: usize, to: usize| text[from..to].parse::<i64>().ok();
        let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
        let parsed = Self::of(year, month, day);
        // A day that does not exist is written differently than it was read.
        ((1..=12).contains(&month) && parsed.to_string() == text).then_some(parsed)
    }

    /// So many days earlier.
    pub fn minus(self, days: i64) -> Self {
        Self(self.0 - days)
    }

    /// From year, month and day (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`).
    fn of(year: i64, month: i64, day: i64) -> Self {
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Self(era * 146_097 + day_of_era - 719_468)
    }
}

impl fmt::Display for Day {
    /// `2026-10-01` (the same source, `civil_from_days`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.0 + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_is_read_and_written_alike() {
        for text in ["1970-01-01", "2000-02-29", "2026-11-21", "2100-02-28", "1969-12-31", "2027-12-31"] {
            assert_eq!(Day::parse(text).map(|day| day.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Day::parse("2026-03-01").map(|day| day.minus(1).to_string()).as_deref(), Some("2026-02-28"));
        assert_eq!(Day::parse("1970-01-02"), Some(Day(1)));
        for wrong in ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-10-01", "2026-10-0é", "2026/10/01", ""]
        {
            assert_eq!(Day::parse(wrong), None, "{wrong}");
        }
    }
}
