//! `cargo schema check`, `lint` and `diff`: print findings.

use std::fs;

use crate::compat;
use crate::finding::{Finding, Findings, Severity};
use crate::git::Base;
use crate::introspection;
use crate::lint::lint;
use crate::policy::Policy;
use crate::project::{Options, check};
use crate::usage::Usage;
use dated_graphql_codegen::load::{self, PROJECT};
use dated_graphql_schema::diff::Pair;

use super::exit::{Exit, Failure, print_findings};
use super::{Project, input};

/// Check everything: mistakes, lint, changes, published versions, waivers, generated files.
#[derive(clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    base: BaseArgs,
    /// A file with the usage that the server counted, so that breaking changes name the clients that they affect.
    #[arg(long, value_name = "FILE")]
    usage: Option<String>,
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
    #[allow(clippy::disallowed_methods)] // a build tool without the server's settings
    pub(crate) fn base(&self) -> Base<'_> {
        // In continuous integration a warning is not read. All common services set `CI`.
        let is_ci = || std::env::var_os("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
        match &self.base {
            Some(name) => Base::Of(name),
            None if self.no_base => Base::Nothing,
            None => Base::Trunk { required: is_ci() },
        }
    }
}

impl Check {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let usage = self.usage.as_ref().map(|from| -> Result<Usage, Failure> {
            let text = fs::read_to_string(from).map_err(|error| Failure::new(format!("{from}: {error}")))?;
            Ok(Usage::parse(&text)?)
        });
        let usage = usage.transpose()?;
        let Project { root, today } = project;
        let options = Options { root, today: *today, base: self.base.base(), usage: usage.as_ref(), publishes: false };
        let findings = check(&options)?;
        let list = findings.list();
        let mut errors = list.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.rule);
        let exit = match errors.next() {
            None => Exit::Ok,
            Some("generated-stale") if errors.all(|rule| rule == "generated-stale") => Exit::Stale,
            Some(_) => Exit::Findings,
        };
        let least = if self.notes { Severity::Note } else { Severity::Warning };
        print_findings(&findings.at_least(least))?;
        Ok(exit)
    }
}

/// Lint schemas as if all of them were new, with the levels of schema/project.toml.
#[derive(clap::Args)]
pub(crate) struct Lint {
    /// Versions of schema/, or files; by default every version.
    schemas: Vec<String>,
}

impl Lint {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let all = || load::version_names(&project.root.join("schema"));
        let names = if self.schemas.is_empty() { all()? } else { self.schemas.clone() };
        let mut findings = Findings::default();
        let (_, settings) = load::names(&project.root)?;
        let policy = Policy::parse(PROJECT, &settings).map_err(|report| Findings::from(&report))?;
        for sdl in read_all(project, &names, &mut findings)? {
            findings.extend(lint(&sdl, None).into_iter().filter_map(|finding| policy.apply_level(finding)));
        }
        finish(&findings)
    }
}

/// Show what changed between two schemas: breaking, dangerous, safe.
#[derive(clap::Args)]
pub(crate) struct Diff {
    /// A version of schema/, a file (SDL, or the JSON of introspection), or a file of a commit (`main:schema/2026-10.graphql`).
    old: String,
    new: String,
}

impl Diff {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let mut findings = Findings::default();
        let sdls = read_all(project, &[self.old.clone(), self.new.clone()], &mut findings)?;
        if let [old, new] = &sdls[..] {
            let is_introspection = sdls.iter().any(|sdl| sdl.source().starts_with(introspection::START));
            let is_known = |finding: &Finding| !is_introspection || finding.rule != "directive-use-changed";
            findings.extend(compat::compare(Pair { old, new }).into_iter().filter(is_known));
        }
        finish(&findings)
    }
}

/// Reads schemas; adds the errors of the others to the findings.
fn read_all(
    project: &Project,
    names: &[String],
    findings: &mut Findings,
) -> Result<Vec<dated_graphql_schema::Sdl>, Failure> {
    let mut sdls = vec![];
    for name in names {
        match input::sdl(&project.root, name)? {
            Ok(sdl) => {
                findings.know_sdl(&sdl);
                sdls.push(sdl);
            }
            Err(report) => findings.add_report(&report),
        }
    }
    Ok(sdls)
}

/// Prints findings.
fn finish(findings: &Findings) -> Result<Exit, Failure> {
    print_findings(findings)?;
    Ok(if findings.failed() { Exit::Findings } else { Exit::Ok })
}
