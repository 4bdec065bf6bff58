//! `cargo schema check`: everything that CI asks of schema/.

use std::fs;

use schema_tool::check::day::Day;
use schema_tool::check::finding::Severity;
use schema_tool::check::git::Base;
use schema_tool::check::output;
use schema_tool::check::project::{Options, check};
use schema_tool::check::usage::Usage;

use crate::exit::{Exit, Failure};
use crate::{Place, Shown};

/// Check everything: mistakes, lint, changes, published versions, waivers, generated files.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    pub compared: Compared,
    /// What the server counted, so that breaking changes say whom they hit: its database (`sqlite://<file>` or
    /// `postgres://…`), which is only read, or a file of `card-service usage export`, JSON or CSV.
    #[arg(long, value_name = "DATABASE URL OR FILE")]
    usage: Option<String>,
    /// Show notes too, such as findings that are waived.
    #[arg(long)]
    notes: bool,
}

/// What published versions are compared with, beside their digests.
#[derive(clap::Args)]
pub struct Compared {
    /// The branch or commit that this branch will be merged into; by default origin's, main or master.
    #[arg(long, value_name = "COMMIT")]
    base: Option<String>,
    /// Compare with no commit.
    #[arg(long, conflicts_with = "base")]
    no_base: bool,
}

impl Compared {
    pub fn base(&self) -> Base<'_> {
        match &self.base {
            Some(name) => Base::Of(name),
            None if self.no_base => Base::Nothing,
            None => Base::MergeBase,
        }
    }
}

pub fn run(args: &Args, place: &Place) -> Result<Exit, Failure> {
    let usage = args.usage.as_ref().map(|from| read_usage(from, place.today())).transpose()?;
    let root = place.root();
    let options = Options { root: &root, today: place.today(), base: args.compared.base(), usage: usage.as_ref() };
    let checked = check(&options)?;
    let exit = match (checked.failed(), checked.stale) {
        (true, _) => Exit::Findings,
        (false, true) => Exit::Stale,
        (false, false) => Exit::Fine,
    };
    let least = if args.notes { Severity::Note } else { Severity::Warning };
    print!("{}", output::write(&checked.findings.at_least(least), args.shown.format()));
    Ok(exit)
}

fn read_usage(from: &str, today: Day) -> Result<Usage, Failure> {
    if from.contains("://") {
        return Ok(Usage::read(from, today)?);
    }
    let text = fs::read_to_string(from).map_err(|error| Failure(format!("{from}: {error}")))?;
    Ok(Usage::parse(&text)?)
}
