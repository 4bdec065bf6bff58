//! `cargo schema check`, `lint` and `diff`: print findings.

use std::fs;

use chrono::NaiveDate;
use schema::diff::Pair;
use schema_tool::check::compat;
use schema_tool::check::finding::{Findings, Severity};
use schema_tool::check::git::Base;
use schema_tool::check::levels::Deny;
use schema_tool::check::lint::{Scope, lint};
use schema_tool::check::operations::Operations;
use schema_tool::check::output::{self, Format};
use schema_tool::check::project::{Options, check};
use schema_tool::check::usage::Usage;

use crate::environment::{is_ci, rules_page_at_github};
use crate::exit::{Exit, Failure, print};
use crate::{FormatArgs, Project, input};

/// Check everything: mistakes, lint, changes, published versions, waivers, generated files.
#[derive(clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    base: BaseArgs,
    /// The usage that the server counted, so that breaking changes name the partners they affect: its database
    /// (`sqlite://<file>` or `postgres://…`), which is only read, or a file of `card-service usage export`, JSON or CSV.
    #[arg(long, value_name = "DATABASE URL OR FILE")]
    usage: Option<String>,
    /// Operations that are checked against the candidate: each breaks, may behave differently, or is unaffected (shown with
    /// `--notes`). A folder of files (`.graphql`, `.gql`) that were written for the version before the candidate; or what the
    /// server stored of its partners: its database (`sqlite://<file>` or `postgres://…`), which is only read, or a file of
    /// `card-service usage documents --json`.
    #[arg(long, value_name = "FOLDER, DATABASE URL OR FILE")]
    operations: Option<String>,
    /// Make findings errors: those of a rule, `dangerous` or `breaking` changes, or all `warnings`.
    #[arg(long, value_name = "RULE OR LEVEL")]
    deny: Vec<Deny>,
    /// Show notes too, such as findings that are waived.
    #[arg(long)]
    notes: bool,
}

/// The commit that published versions are compared with, in addition to their digests.
#[derive(clap::Args)]
pub(crate) struct BaseArgs {
    /// The branch or commit that this branch will be merged into; by default origin's, main or master.
    #[arg(long, value_name = "COMMIT")]
    base: Option<String>,
    /// Compare with no commit.
    #[arg(long, conflicts_with = "base")]
    no_base: bool,
}

impl BaseArgs {
    pub(crate) fn base(&self) -> Base<'_> {
        match &self.base {
            Some(name) => Base::Of(name),
            None if self.no_base => Base::Nothing,
            None => Base::MergeBase { required: is_ci() },
        }
    }
}

impl Check {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let usage = self.usage.as_ref().map(|from| read_usage(from, project.today())).transpose()?;
        let operations = self.operations.as_deref().map(Operations::read).transpose()?;
        let root = project.root();
        let options = Options {
            root: &root,
            today: project.today(),
            base: self.base.base(),
            usage: usage.as_ref(),
            operations: operations.as_ref(),
            deny: &self.deny,
            publishes: false,
        };
        let checked = check(&options)?;
        let exit = match (checked.failed(), checked.stale) {
            (true, _) => Exit::Findings,
            (false, true) => Exit::Stale,
            (false, false) => Exit::Ok,
        };
        let (least, format) = (if self.notes { Severity::Note } else { Severity::Warning }, self.format.format());
        let mut findings = match format {
            Format::Sarif => checked.findings.at_least_or_waived(least),
            _ => checked.findings.at_least(least),
        };
        findings.rules_page = findings.rules_page.or_else(rules_page_at_github);
        let mut changes = checked.changes;
        changes.iter_mut().for_each(|changes| changes.findings.rules_page.clone_from(&findings.rules_page));
        print(&match format {
            Format::Markdown => output::write_with_changes(changes.as_ref(), &findings),
            _ => output::write(&findings, format),
        })?;
        Ok(exit)
    }
}

fn read_usage(from: &str, today: NaiveDate) -> Result<Usage, Failure> {
    if from.contains("://") {
        return Ok(Usage::read(from, today)?);
    }
    let text = fs::read_to_string(from).map_err(|error| Failure(format!("{from}: {error}")))?;
    Ok(Usage::parse(&text)?)
}

/// Lint schemas as if all of them were new.
#[derive(clap::Args)]
pub(crate) struct Lint {
    /// Versions of schema/, or files; by default every version.
    schemas: Vec<String>,
    #[command(flatten)]
    format: FormatArgs,
}

impl Lint {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let root = project.root();
        let mut findings = Findings::default();
        let sdls = if self.schemas.is_empty() {
            input::versions(&root)?.unwrap_or_else(|mistakes| {
                findings = mistakes;
                vec![]
            })
        } else {
            let mut sdls = vec![];
            for name in &self.schemas {
                match input::sdl(&root, name, &[])? {
                    Ok(sdl) => sdls.push(sdl),
                    Err(report) => findings.add_report(&report),
                }
            }
            sdls
        };
        for sdl in &sdls {
            findings.know_sdl(sdl);
            findings.extend(lint(sdl, &Scope::Everything));
        }
        print(&output::write(&findings, self.format.format()))?;
        Ok(if findings.failed() { Exit::Findings } else { Exit::Ok })
    }
}

/// Show what changed between two schemas: breaking, dangerous, safe.
#[derive(clap::Args)]
pub(crate) struct Diff {
    /// A version of schema/, a file (SDL or introspection as JSON), a file of a commit (`main:schema/2026-10.graphql`), or
    /// the address of such a file or of a GraphQL service.
    old: String,
    new: String,
    /// Show only changes of this level and worse.
    #[arg(long, value_enum, default_value = "safe")]
    level: LeastLevel,
    /// A header for an address, such as `Authorization: Bearer …`.
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<String>,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LeastLevel {
    Safe,
    Dangerous,
    Breaking,
}

impl Diff {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let root = project.root();
        let mut findings = Findings::default();
        let mut read = |name: &str| -> Result<_, Failure> {
            let sdl = input::sdl(&root, name, &self.header)?.map_err(|report| findings.add_report(&report)).ok();
            sdl.iter().for_each(|sdl| findings.know_sdl(sdl));
            Ok(sdl)
        };
        let (old, new) = (read(&self.old)?, read(&self.new)?);
        if let (Some(old), Some(new)) = (&old, &new) {
            findings.extend(compat::compare(Pair { old, new }));
        }
        let least = match self.level {
            LeastLevel::Safe => Severity::Note,
            LeastLevel::Dangerous => Severity::Warning,
            LeastLevel::Breaking => Severity::Error,
        };
        let exit = if findings.failed() { Exit::Findings } else { Exit::Ok };
        print(&output::write(&findings.at_least(least), self.format.format()))?;
        Ok(exit)
    }
}
