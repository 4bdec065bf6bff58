//! `usage show`: usage counts of the schema, which `cargo schema check --usage` reads with `--json`.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use clap::Subcommand;
use serde_json::{Value, json};

use super::failure::CliFailure;
use super::output::{Output, Table};
use crate::base::limits::USAGE_RECENT_DAYS;
use crate::http::version_lives;
use crate::model::Usage;
use crate::operation::usage::{self, Report};
use crate::operation::version::DecideVersionError;
use crate::services::Services;

/// The bars of a row of counts, at most.
const BARS_MAX: usize = 30;
/// From the lowest bar to the highest.
const BARS: [char; 8] =
    ['\u{2581}', '\u{2582}', '\u{2583}', '\u{2584}', '\u{2585}', '\u{2586}', '\u{2587}', '\u{2588}'];

#[derive(Debug, Subcommand)]
pub(super) enum UsageCommand {
    /// Show which partners used which parts of the API, and when last; with --json the counts of each day, which
    /// `cargo schema check --usage <file>` reads
    Show {
        /// Only this version, such as 2026-10
        #[arg(long)]
        version: Option<String>,
        /// Only this coordinate and those below it, such as Card or Query.card
        #[arg(long, value_name = "COORDINATE")]
        at: Option<String>,
        /// How many days back
        #[arg(long, value_name = "N", default_value_t = USAGE_RECENT_DAYS, value_parser = clap::value_parser!(u32).range(1..=3650))]
        days: u32,
    },
}

pub(super) async fn run(services: &Services, command: UsageCommand, output: Output) -> Result<(), CliFailure> {
    let UsageCommand::Show { version, at, days } = command;
    version.as_deref().map_or(Ok(()), require_known)?;
    let today = usage::day(services.clock.now());
    let from = today.checked_sub_days(Days::new(days.into())).unwrap_or(today);
    let mut report = usage::report(services, from, version.as_deref()).await?;
    if let Some(at) = &at {
        report.uses.retain(|(_, used)| dated_graphql_schema::coordinate::covers(at, &used.coordinate));
    }
    output.show(&object(&report), || text(&report))
}

fn require_known(version: &str) -> Result<(), CliFailure> {
    let known: Vec<_> = version_lives().into_iter().map(|life| life.name).collect();
    match known.contains(&version) {
        true => Ok(()),
        false => Err(DecideVersionError::Unknown(version.to_owned(), known.join(", ")).into()),
    }
}

/// The format that `cargo schema check --usage` reads (`dated_graphql_tool::usage`).
fn object(report: &Report) -> Value {
    let view = |(partner, used): &(String, Usage)| {
        json!({
            "client": format!("{partner} ({} key)", used.mode.as_str()), // who the tool says it is
            "partner": partner,
            "keyMode": used.mode.as_str(),
            "version": used.version,
            "day": used.day.to_string(),
            "coordinate": used.coordinate,
            "count": used.count,
        })
    };
    let uses: Vec<_> = report.uses.iter().map(view).collect();
    json!({ "format": 1, "from": report.from.to_string(), "to": report.to.to_string(), "uses": uses })
}

/// A row for each coordinate, version, partner and key mode.
fn text(report: &Report) -> String {
    let (from, to) = (report.from, report.to);
    if report.uses.is_empty() {
        return format!(
            "Nothing was counted from {from} to {to}. That does not mean that no partner uses it: a running server writes \
             its counts every minute."
        );
    }
    let mut rows: BTreeMap<_, BTreeMap<NaiveDate, i64>> = BTreeMap::new();
    for (partner, used) in &report.uses {
        let key = (used.coordinate.as_str(), used.version.as_str(), partner.as_str(), used.mode.as_str());
        *rows.entry(key).or_default().entry(used.day).or_default() += used.count;
    }
    let mut table = Table::new(&[
        "coordinate",
        "version",
        "partner",
        "key",
        "operations",
        "last on",
        "from the first day to today",
    ]);
    for ((coordinate, version, partner, mode), days) in rows {
        let (count, last) =
            (days.values().sum::<i64>().to_string(), days.keys().last().copied().unwrap_or(to).to_string());
        table.row([coordinate, version, partner, mode, &count, &last, &draw(&days, from, to)].map(str::to_owned));
    }
    format!("{}\nCounted from {from} to {to}, in UTC.", table.render())
}

/// Draws counts over time, oldest first: at most [`BARS_MAX`] bars, each of equally many days. A point is a time without use.
fn draw(days: &BTreeMap<NaiveDate, i64>, from: NaiveDate, to: NaiveDate) -> String {
    let number = |day: NaiveDate| usize::try_from((day - from).num_days()).unwrap_or(0);
    let days_per_bar = (number(to) + 1).div_ceil(BARS_MAX);
    let mut bars = vec![0; number(to) / days_per_bar + 1];
    for (day, count) in days {
        bars[number(*day).min(number(to)) / days_per_bar] += count;
    }
    let highest = bars.iter().copied().max().unwrap_or(0).max(1);
    let bar = |count: &i64| match count {
        0 => '.',
        count => BARS[usize::try_from((count * 8 - 1) / highest).unwrap_or(0).min(7)],
    };
    bars.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_show_when_a_field_was_used() {
        let day = |number: u64| NaiveDate::from_ymd_opt(2026, 11, 1).expect("a day") + Days::new(number);
        for (counts, last, right) in [
            (&[(0, 1)][..], 0, "\u{2588}"),
            (&[(0, 8), (2, 4), (3, 1)], 4, "\u{2588}.\u{2584}\u{2581}."),
            // 61 days in bars of three: the first and the last day.
            (&[(0, 5), (60, 5)], 60, &format!("\u{2588}{}\u{2588}", ".".repeat(19))),
        ] {
            let counts = counts.iter().map(|(number, count)| (day(*number), *count)).collect();
            assert_eq!(draw(&counts, day(0), day(last)), right);
        }
    }
}
