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
    let mut rows: BTreeMap<_, (i64, NaiveDate)> = BTreeMap::new();
    for (partner, used) in &report.uses {
        let key = (used.coordinate.as_str(), used.version.as_str(), partner.as_str(), used.mode.as_str());
        let row = rows.entry(key).or_insert((0, used.day));
        *row = (row.0 + used.count, row.1.max(used.day));
    }
    let mut table = Table::new(&["coordinate", "version", "partner", "key", "operations", "last on"]);
    for ((coordinate, version, partner, mode), (count, last)) in rows {
        table.row([coordinate, version, partner, mode, &count.to_string(), &last.to_string()].map(str::to_owned));
    }
    format!("{}\nCounted from {from} to {to}, in UTC.", table.render())
}
