//! The usage of schema elements, counted by the server, so that a breaking change names the partners it affects.
//!
//! The counts are read from the server's database ([`Usage::read`]) or from a file of `card-service usage export`
//! ([`Usage::parse`]). JSON:
//!
//! ```text
//! {"format": 1, "from": "2026-10-22", "to": "2026-11-20", "uses": [
//!   {"partner": "Uitvaart Jansen", "keyMode": "live", "version": "2026-10",
//!    "day": "2026-11-19", "coordinate": "Card.status", "count": 120}]}
//! ```
//!
//! or CSV, whose first line names the counted days:
//!
//! ```text
//! # from 2026-10-22 to 2026-11-20
//! partner,keyMode,version,day,coordinate,count
//! "Jansen, Uitvaart",live,2026-10,2026-11-19,Card.status,120
//! ```
//!
//! A coordinate is counted when an operation uses it; `Card` is used when `Card.status` is. Missing counts do not prove that
//! an element is unused, so a note names the counted days, and the level of a change does not depend on them.

mod csv;
mod database;

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use schema::coordinate;
use serde::Deserialize;

/// The number of days before today that count.
const WINDOW_DAYS: u64 = 30;

/// The counted usage.
#[derive(Clone, Debug)]
pub struct Usage {
    from: NaiveDate,
    to: NaiveDate,
    uses: Vec<Use>,
}

/// The number of uses of a coordinate of a version by a partner on a day.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Use {
    partner: String,
    key_mode: String,
    version: String,
    day: String,
    coordinate: String,
    count: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: u32,
    from: String,
    to: String,
    uses: Vec<Use>,
}

/// Why usage could not be read.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    #[error("the usage export is no JSON of the expected shape: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the usage export has the format {0}; this program reads format 1")]
    Format(u32),
    #[error("line {0} of the usage export: {1}")]
    Csv(usize, &'static str),
    #[error("`{0}` in the usage export is no day (`YYYY-MM-DD`)")]
    Day(String),
    #[error("the usage cannot be read from the SQLite database")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the usage cannot be read from the PostgreSQL database")]
    Postgres(#[from] postgres::Error),
    #[error("the usage cannot be read from the database: {0}")]
    Database(&'static str),
}

impl Usage {
    /// Parses an export, JSON or CSV.
    pub fn parse(text: &str) -> Result<Self, UsageError> {
        let (from, to, uses) = if text.trim_start().starts_with('{') {
            let Document { format, from, to, uses } = serde_json::from_str(text)?;
            if format != 1 {
                return Err(UsageError::Format(format));
            }
            (from, to, uses)
        } else {
            csv::parse(text)?
        };
        Self::of(&from, &to, uses)
    }

    /// Reads the last days before `today` from the server's database: `sqlite://<file>` or `postgres://…`.
    pub fn read(url: &str, today: NaiveDate) -> Result<Self, UsageError> {
        let (from, to) = (days_before(today, WINDOW_DAYS).to_string(), today.to_string());
        let (since, uses) = database::read(url, &from, &to)?;
        // Usage before the first counted day is unknown.
        let from = since.unwrap_or_else(|| to.clone()).clamp(from, to.clone());
        Self::of(&from, &to, uses)
    }

    fn of(from: &str, to: &str, uses: Vec<Use>) -> Result<Self, UsageError> {
        let day = |text: &str| parse_day(text).ok_or_else(|| UsageError::Day(text.to_owned()));
        uses.iter().try_for_each(|used| day(&used.day).map(|_| ()))?;
        Ok(Self { from: day(from)?, to: day(to)?, uses })
    }

    /// Describes who used these coordinates of a version in the days before `today`, and which days were not counted.
    pub fn notes(&self, version: &str, coordinates: &[String], today: NaiveDate) -> Vec<String> {
        let since = days_before(today, WINDOW_DAYS);
        let recent = |used: &&Use| parse_day(&used.day).is_some_and(|day| day >= since && day <= today);
        let of_version: Vec<&Use> = self.uses.iter().filter(|used| used.version == version).filter(recent).collect();
        let mut notes = vec![];
        for at in coordinates {
            let mut users: BTreeMap<(&str, &str), (u64, &str)> = BTreeMap::new();
            for used in of_version.iter().filter(|used| coordinate::covers(at, &used.coordinate)) {
                let (count, last) = users.entry((&used.partner, &used.key_mode)).or_default();
                *count += used.count;
                *last = (*last).max(&used.day);
            }
            notes.extend(users.into_iter().map(|((partner, mode), (count, last))| {
                let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
                format!("{partner} ({mode} key) used `{at}` {times} in the last {WINDOW_DAYS} days, last on {last}")
            }));
        }
        if of_version.is_empty() {
            notes.push(format!("nothing at all was counted of {version}: that does not mean that it is unused"));
        } else if notes.is_empty() {
            let (from, to) = (self.from.max(since), self.to.min(today));
            let of = coordinates.iter().map(|at| format!("`{at}`")).collect::<Vec<_>>().join(", ");
            notes.push(format!("no use was counted of {of} from {from} to {to}"));
        }
        if self.from > since || self.to < days_before(today, 1) {
            let (from, to) = (self.from, self.to);
            notes.push(format!("counted from {from} to {to} only; no count of the other days does not mean no use"));
        }
        notes
    }
}

/// Parses a day in exactly the form `2026-10-01`.
fn parse_day(text: &str) -> Option<NaiveDate> {
    text.parse::<NaiveDate>().ok().filter(|day| day.to_string() == text)
}

fn days_before(day: NaiveDate, days: u64) -> NaiveDate {
    day.checked_sub_days(Days::new(days)).unwrap_or(NaiveDate::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "# from 2026-10-01 to 2026-11-20\npartner,keyMode,version,day,coordinate,count\n\
                       \"Jansen, \"\"oud\"\"\",live,2026-10,2026-11-18,Card.status,3\n\
                       \"Jansen, \"\"oud\"\"\",live,2026-10,2026-11-19,Card.status,2\n\
                       Vries,test,2026-10,2026-11-01,Query.themes(first:),1\n\
                       Vries,live,2026-10,2026-10-02,Card.cardUrl,9\n";

    fn notes(usage: &str, version: &str, at: &str) -> Vec<String> {
        let today = parse_day("2026-11-21").expect("a day");
        Usage::parse(usage).expect("an export").notes(version, &[at.to_owned()], today)
    }

    #[test]
    fn use_is_described_by_partner_with_its_last_day() {
        let jansen = "Jansen, \"oud\" (live key) used `Card.status` 5 times in the last 30 days, last on 2026-11-19";
        assert_eq!(notes(CSV, "2026-10", "Card.status"), [jansen]);
        let card = jansen.replace("Card.status", "Card");
        assert_eq!(notes(CSV, "2026-10", "Card"), [card], "what lies below counts, what is older does not");
        let vries = "Vries (test key) used `Query.themes` once in the last 30 days, last on 2026-11-01";
        assert_eq!(notes(CSV, "2026-10", "Query.themes"), [vries]);
        assert!(notes(CSV, "2026-10", "Card.stat")[0].starts_with("no use was counted"), "segments are whole");
    }

    #[test]
    fn no_data_is_not_described_as_no_use() {
        let none = "nothing at all was counted of 2027-01: that does not mean that it is unused";
        assert_eq!(notes(CSV, "2027-01", "Card"), [none]);
        assert_eq!(notes(CSV, "2026-10", "Theme"), ["no use was counted of `Theme` from 2026-10-22 to 2026-11-20"]);
        let short = CSV.replace("from 2026-10-01", "from 2026-11-10");
        let only = "counted from 2026-11-10 to 2026-11-20 only; no count of the other days does not mean no use";
        assert_eq!(notes(&short, "2026-10", "Theme")[1], only);
    }

    #[test]
    fn json_and_csv_are_equivalent() {
        let json = r#"{"format": 1, "from": "2026-10-01", "to": "2026-11-20", "uses": [{"partner": "Vries", "keyMode":
            "test", "version": "2026-10", "day": "2026-11-01", "coordinate": "Query.themes(first:)", "count": 1}]}"#;
        assert_eq!(notes(json, "2026-10", "Query"), notes(CSV, "2026-10", "Query"));
    }

    #[test]
    fn invalid_export_is_refused() {
        for (text, said) in [
            ("", "line 1"),
            ("partner,keyMode\n", "line 1"),
            ("# from 2026-10-01 to 2026-11-20\na,b\n", "line 2"),
            (&CSV.replace(",3\n", ",many\n"), "line 3"),
            (&CSV.replace(",live,2026-10,2026-11-18", ",live,2026-10"), "line 3"),
            (&CSV.replace("2026-11-18", "2026-02-30"), "`2026-02-30`"),
            (&CSV.replace("2026-11-18", "2026-11-8"), "`2026-11-8`"),
            ("{\"format\": 2, \"from\": \"\", \"to\": \"\", \"uses\": []}", "format 2"),
            ("{\"format\": 1}", "JSON"),
        ] {
            let error = Usage::parse(text).expect_err(text).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
