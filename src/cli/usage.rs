//! `usage export`, `usage show`: usage counts of the schema.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use clap::Subcommand;
use serde::Serialize;

use super::failure::CliFailure;
use super::output::Output;
use super::table::Table;
use crate::base::limits::USAGE_RECENT_DAYS;
use crate::http::released;
use crate::model::Usage;
use crate::operation::usage::{self, Report};
use crate::operation::version::DecideVersionError;
use crate::operation::Failure;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(super) enum UsageCommand {
    /// Print all counts as JSON, which `cargo schema check --usage <file>` reads
    Export {
        /// The first day, in UTC; by default 30 days ago
        #[arg(long, value_name = "YYYY-MM-DD")]
        from: Option<NaiveDate>,
        /// The last day, in UTC; by default today
        #[arg(long, value_name = "YYYY-MM-DD")]
        to: Option<NaiveDate>,
    },
    /// Show which partners used which parts of a version, and when last
    Show {
        /// The version, such as 2026-10
        #[arg(long)]
        version: String,
        /// Only this coordinate and those below it, such as Card or Query.card
        #[arg(long, value_name = "COORDINATE")]
        at: Option<String>,
        /// How many days back
        #[arg(long, value_name = "N", default_value_t = USAGE_RECENT_DAYS, value_parser = clap::value_parser!(u32).range(1..=3650))]
        days: u32,
    },
}

pub(super) async fn run(services: &Services, command: UsageCommand, output: Output) -> Result<(), CliFailure> {
    match command {
        UsageCommand::Export { from, to } => {
            if let (Some(from), Some(to)) = (from, to)
                && to < from
            {
                return Err(CliFailure::Reversed);
            }
            let report = between(services, from, to, USAGE_RECENT_DAYS, None).await?;
            let export = Export::from(&report);
            // Always JSON, because a table of a thousand rows is useless.
            Output { json: true, ..output }.show(&export, String::new)
        }
        UsageCommand::Show { version, at, days } => {
            require_known(&version)?;
            let mut report = between(services, None, None, days, Some(&version)).await?;
            if let Some(at) = &at {
                report.uses.retain(|(_, used)| schema::coordinate::covers(at, &used.coordinate));
            }
            output.show(&Export::from(&report), || text(&version, &report))
        }
    }
}

fn require_known(version: &str) -> Result<(), CliFailure> {
    let known: Vec<_> = released().into_iter().map(|life| life.name).collect();
    match known.contains(&version) {
        true => Ok(()),
        false => Err(DecideVersionError::Unknown(version.to_owned(), known.join(", ")).into()),
    }
}

async fn between(
    services: &Services,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    days: u32,
    version: Option<&str>,
) -> Result<Report, Failure> {
    let to = to.unwrap_or_else(|| usage::day(services.clock.now()));
    let from = from.unwrap_or_else(|| to.checked_sub_days(Days::new(days.into())).unwrap_or(to));
    usage::report(services, from, to, version).await
}

/// The format that `cargo schema check --usage` reads (`schema_tool::check::usage`).
#[derive(Debug, Serialize)]
struct Export {
    format: u32,
    from: String,
    to: String,
    uses: Vec<UseView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct UseView {
    partner: String,
    key_mode: &'static str,
    version: String,
    day: String,
    coordinate: String,
    count: i64,
}

impl From<&Report> for Export {
    fn from(report: &Report) -> Self {
        let view = |(partner, used): &(String, Usage)| UseView {
            partner: partner.clone(),
            key_mode: used.mode.as_str(),
            version: used.version.clone(),
            day: used.day.to_string(),
            coordinate: used.coordinate.clone(),
            count: used.count,
        };
        let uses = report.uses.iter().map(view).collect();
        Self { format: 1, from: report.from.to_string(), to: report.to.to_string(), uses }
    }
}

/// A row for each coordinate, partner and key mode.
fn text(version: &str, report: &Report) -> String {
    let (from, to) = (report.from, report.to);
    if report.uses.is_empty() {
        return format!(
            "Nothing was counted of {version} from {from} to {to}. That does not mean that no partner uses it: a running \
             server writes its counts every minute."
        );
    }
    let mut rows: BTreeMap<(&str, &str, &str), (i64, NaiveDate)> = BTreeMap::new();
    for (partner, used) in &report.uses {
        let row = rows.entry((&used.coordinate, partner, used.mode.as_str())).or_insert((0, used.day));
        *row = (row.0 + used.count, row.1.max(used.day));
    }
    let mut table = Table::new(&["coordinate", "partner", "key", "operations", "last on"]);
    for ((coordinate, partner, mode), (count, last)) in rows {
        table.row([coordinate, partner, mode, &count.to_string(), &last.to_string()].map(str::to_owned));
    }
    format!("{}\nCounted from {from} to {to}, in UTC.", table.render())
}
