//! `usage export`, `usage show`, `usage documents`: usage counts of the schema, and the documents that partners send.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use clap::Subcommand;
use serde::Serialize;

use super::failure::CliFailure;
use super::output::Output;
use super::table::Table;
use crate::base::limits::USAGE_RECENT_DAYS;
use crate::base::lower_hex;
use crate::http::released;
use crate::model::{Usage, UsageDocument};
use crate::operation::usage::{self, Report};
use crate::operation::version::DecideVersionError;
use crate::operation::{Failure, partner, usage_document};
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
    /// List the documents that partners sent, where USAGE_DOCUMENTS is on; with --json they are whole, as
    /// `cargo schema check --operations <file>.json` reads them
    Documents {
        /// Only of this version, such as 2026-10
        #[arg(long)]
        version: Option<String>,
        /// Only of this partner, by its name
        #[arg(long, value_name = "NAME")]
        partner: Option<String>,
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
        UsageCommand::Documents { version, partner } => {
            version.as_deref().map_or(Ok(()), require_known)?;
            if let Some(name) = &partner {
                partner::find(services, name).await?;
            }
            let documents = usage_document::list(services, version.as_deref(), partner.as_deref()).await?;
            let export = DocumentExport { format: 1, documents: documents.iter().map(DocumentView::from).collect() };
            output.show(&export, || documents_text(&documents, services.policy.usage_documents))
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

/// The format that `cargo schema check --operations` reads (`schema_tool::check::operations`).
#[derive(Debug, Serialize)]
struct DocumentExport<'a> {
    format: u32,
    documents: Vec<DocumentView<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentView<'a> {
    partner: &'a str,
    key_mode: &'static str,
    version: &'a str,
    digest: String,
    document: &'a str,
    count: i64,
    first_day: String,
    last_day: String,
}

impl<'a> From<&'a (String, UsageDocument)> for DocumentView<'a> {
    fn from((partner, sent): &'a (String, UsageDocument)) -> Self {
        Self {
            partner,
            key_mode: sent.mode.as_str(),
            version: &sent.version,
            digest: lower_hex(&sent.digest),
            document: &sent.document,
            count: sent.count,
            first_day: sent.first_day.to_string(),
            last_day: sent.last_day.to_string(),
        }
    }
}

/// A row for each document, with its first line.
fn documents_text(documents: &[(String, UsageDocument)], is_on: bool) -> String {
    if documents.is_empty() {
        let hint = match is_on {
            true => "A running server writes them every minute.",
            false => "USAGE_DOCUMENTS is off: documents are not stored.",
        };
        return format!("No document is stored. {hint}");
    }
    let mut table = Table::new(&["partner", "key", "version", "operations", "first on", "last on", "document"]);
    for (partner, sent) in documents {
        let first_line = sent.document.lines().next().unwrap_or_default().trim_end_matches(" {").to_owned();
        let (count, first, last) = (sent.count.to_string(), sent.first_day.to_string(), sent.last_day.to_string());
        let mode = sent.mode.as_str().to_owned();
        table.row([partner.clone(), mode, sent.version.clone(), count, first, last, first_line]);
    }
    table.render()
}
