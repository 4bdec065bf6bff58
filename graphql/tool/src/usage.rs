//! The usage of schema elements, counted by a server, so that a breaking change names the clients that it affects.
//!
//! The counts come from a file in JSON, which the tests show; other members of a use are ignored.
//!
//! A coordinate is counted when an operation uses it; `Book` is used when `Book.title` is. Missing counts do not prove that
//! an element is unused, so a note names the counted days, and the level of a change does not depend on them.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use dated_graphql_schema::coordinate;
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

/// The number of uses of a coordinate of a version by a client on a day.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Use {
    client: String,
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
    #[error("`{0}` in the usage export is no day (`YYYY-MM-DD`)")]
    Day(String),
}

impl Usage {
    /// Parses an export.
    pub fn parse(text: &str) -> Result<Self, UsageError> {
        let Document { format, from, to, uses } = serde_json::from_str(text)?;
        if format != 1 {
            return Err(UsageError::Format(format));
        }
        let day = |text: &str| parse_day(text).ok_or_else(|| UsageError::Day(text.to_owned()));
        uses.iter().try_for_each(|used| day(&used.day).map(|_| ()))?;
        Ok(Self { from: day(&from)?, to: day(&to)?, uses })
    }

    /// Describes who used these coordinates of a version in the days before `today`, and which days were not counted.
    pub fn notes(&self, version: &str, coordinates: &[String], today: NaiveDate) -> Vec<String> {
        let since = days_before(today, WINDOW_DAYS);
        let recent = |used: &&Use| parse_day(&used.day).is_some_and(|day| day >= since && day <= today);
        let of_version: Vec<&Use> = self.uses.iter().filter(|used| used.version == version).filter(recent).collect();
        let mut notes = vec![];
        for at in coordinates {
            let mut users: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
            for used in of_version.iter().filter(|used| coordinate::covers(at, &used.coordinate)) {
                let (count, last) = users.entry(&used.client).or_default();
                *count += used.count;
                *last = (*last).max(&used.day);
            }
            notes.extend(users.into_iter().map(|(client, (count, last))| {
                let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
                format!("{client} used `{at}` {times} in the last {WINDOW_DAYS} days, last on {last}")
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

    /// An export of `days` with uses: client, day, coordinate, count.
    fn export(days: [&str; 2], uses: &[(&str, &str, &str, u64)]) -> String {
        let uses = uses.iter().map(|(client, day, coordinate, count)| {
            let version = "2026-10";
            serde_json::json!({"client": client, "version": version, "day": day, "coordinate": coordinate, "count": count})
        });
        let [from, to] = days;
        serde_json::json!({"format": 1, "from": from, "to": to, "uses": uses.collect::<Vec<_>>()}).to_string()
    }

    const USES: &[(&str, &str, &str, u64)] = &[
        ("Jansen, \"old\"", "2026-11-18", "Book.title", 3),
        ("Jansen, \"old\"", "2026-11-19", "Book.title", 2),
        ("Vries", "2026-11-01", "Query.books(first:)", 1),
        ("Vries", "2026-10-02", "Book.url", 9),
    ];

    fn notes(from: &str, version: &str, at: &str) -> Vec<String> {
        let today = parse_day("2026-11-21").expect("a day");
        let usage = Usage::parse(&export([from, "2026-11-20"], USES)).expect("an export");
        usage.notes(version, &[at.to_owned()], today)
    }

    #[test]
    fn use_is_described_by_client_with_its_last_day() {
        let notes = |at: &str| notes("2026-10-01", "2026-10", at);
        let jansen = "Jansen, \"old\" used `Book.title` 5 times in the last 30 days, last on 2026-11-19";
        assert_eq!(notes("Book.title"), [jansen]);
        assert_eq!(
            notes("Book"),
            [jansen.replace("Book.title", "Book")],
            "what lies below counts, what is older does not"
        );
        let vries = "Vries used `Query.books` once in the last 30 days, last on 2026-11-01";
        assert_eq!(notes("Query.books"), [vries]);
        assert!(notes("Book.titl")[0].starts_with("no use was counted"), "segments are whole");
    }

    #[test]
    fn no_data_is_not_described_as_no_use() {
        let none = "nothing at all was counted of 2027-01: that does not mean that it is unused";
        assert_eq!(notes("2026-10-01", "2027-01", "Book"), [none]);
        let no_use = "no use was counted of `Shelf` from 2026-10-22 to 2026-11-20";
        assert_eq!(notes("2026-10-01", "2026-10", "Shelf"), [no_use]);
        let only = "counted from 2026-11-10 to 2026-11-20 only; no count of the other days does not mean no use";
        assert_eq!(notes("2026-11-10", "2026-10", "Shelf")[1], only);
    }

    #[test]
    fn invalid_export_is_refused() {
        for (text, said) in [
            (export(["2026-02-30", "2026-11-20"], USES), "`2026-02-30`"),
            (export(["2026-10-01", "2026-11-20"], &[("A", "2026-11-8", "Book", 1)]), "`2026-11-8`"),
            (export(["2026-10-01", "2026-11-20"], USES).replace("\"format\":1", "\"format\":2"), "format 2"),
            ("{\"format\": 1}".to_owned(), "JSON"),
        ] {
            let error = Usage::parse(&text).expect_err(&text).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
