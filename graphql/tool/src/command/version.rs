//! `cargo schema new` and `publish`: the first and the last step of a candidate.

use std::fs;

use chrono::NaiveDate;
use dated_graphql_codegen::load::version as load_source;
use dated_graphql_codegen::{Mode, build, sync, versions};
use dated_graphql_schema::VersionStatus;
use dated_graphql_schema::deprecation::deprecations;

use super::check::BaseArgs;
use super::exit::{Exit, Failure, print, print_findings};
use super::{Project, generate};
use crate::contract;
use crate::finding::{Findings, Severity};
use crate::load::{self, Loaded};
use crate::project::{self, Options};

/// The path of the file with the versions.
const VERSIONS: &str = "schema/versions.toml";

/// Begin the next version: a copy of the latest, as a candidate that still changes.
#[derive(clap::Args)]
pub(crate) struct New {
    /// Year and month, such as 2027-01.
    version: String,
}

impl New {
    pub(crate) fn run(&self, Project { root, .. }: &Project) -> Result<Exit, Failure> {
        let version = &self.version;
        let month = format!("{version}-01").parse::<NaiveDate>();
        if !month.is_ok_and(|day| day.format("%Y-%m").to_string() == *version) {
            return Err(Failure::new(format!("`{version}` is no version: write year and month, such as `2027-01`")));
        }
        let mut findings = Findings::default();
        let loaded = load::load(root, &mut findings)?;
        let Some(Loaded { sdls, entries, versions_text, .. }) = loaded else { return Err(findings.into()) };
        let Some((latest, entry)) = sdls.last().zip(entries.last()) else {
            return Err(Failure::new("schema/ has no version to begin from"));
        };
        let from = &entry.name;
        if entry.status == VersionStatus::Candidate {
            let publish = format!("publish it first (`cargo schema publish {from}`), or go on with it");
            return Err(Failure::new(format!("{from} is still a candidate: {publish}")));
        }
        if version <= from {
            return Err(Failure::new(format!("`{version}` does not come after {from}, the latest version")));
        }
        let copied = load_source(&root.join("schema"), from)?;
        for (path, text) in copied.parts() {
            let path = root.join(path.replacen(from.as_str(), version, 1));
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            sync::replace(&path, text)?;
        }
        sync::replace(&root.join(VERSIONS), &versions::with_candidate(&versions_text, version))?;
        build(root, Mode::Write)?;
        let mut text = format!(
            "wrote {}, a copy of {from}\n\
             wrote its entry in {VERSIONS}, with the status \"candidate\"\n\
             wrote generated/v{}.rs\n",
            copied.path.replacen(from.as_str(), version, 1),
            version.replace('-', "_")
        );
        let removable = deprecations(&latest.schema);
        if !removable.is_empty() {
            text += &format!("\n{from} deprecates these, so they may be removed after the notice:\n");
            text.extend(removable.iter().map(|(coordinate, _)| format!("  {coordinate}\n")));
        }
        text += &format!(
            "\nNext steps:\n\
             \x20 1. edit it; `cargo schema check` says what breaks, and what it costs in code,\n\
             \x20    `cargo schema diff {from} {version}` what changed\n\
             \x20 2. `cargo schema generate` adds stubs for the resolvers that are missing; without a folder for them the\n\
             \x20    compiler names them, and `cargo schema skeleton` prints them\n\
             \x20 3. test it\n\
             \x20 4. `cargo schema publish {version}`: after that only descriptions can change\n"
        );
        print(&text)?;
        Ok(Exit::Ok)
    }
}

/// Publish a candidate: after that only the words of its descriptions can change.
#[derive(clap::Args)]
pub(crate) struct Publish {
    /// The version, such as 2027-01.
    version: String,
    /// Write nothing: show the warnings and the waived findings that it would be published with.
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    base: BaseArgs,
}

impl Publish {
    pub(crate) fn run(&self, Project { root, today }: &Project) -> Result<Exit, Failure> {
        let (version, today) = (&self.version, *today);
        let mut findings = Findings::default();
        let Some(loaded) = load::load(root, &mut findings)? else { return Err(self.refuse(findings)) };
        let mut versions = loaded.entries.iter().zip(&loaded.sdls);
        let Some((entry, sdl)) = versions.find(|(entry, _)| entry.name == *version) else {
            return Err(Failure::new(format!("there is no version {version} in schema/")));
        };
        if entry.status != VersionStatus::Candidate {
            return Err(Failure::new(format!("{version} is published already")));
        }
        let findings = project::schema(&Options { root, today, base: self.base.base(), usage: None, publishes: true })?;
        if findings.failed() {
            return Err(self.refuse(findings.at_least(Severity::Error)));
        }
        if today.to_string() < *version {
            println!("{today} is before the month of {version}: a notice that begins with it runs from this day");
        }
        if self.dry_run {
            print_findings(&findings)?;
            println!("{version} can be published on {today}; nothing was written");
            return Ok(Exit::Ok);
        }
        let digest = contract::digest(sdl);
        let text = versions::with_publication(&loaded.versions_text, version, &today.to_string(), &digest);
        sync::replace(&root.join(VERSIONS), &text.expect("the file has the version"))?;
        let changed = build(root, Mode::Write)?.changed;
        println!("published {version}: its entry in {VERSIONS} is \"current\", with day and digest\n{digest}");
        generate::print_changed(&changed);
        match findings.list().iter().find(|finding| finding.rule == "base-unknown") {
            Some(unknown) => println!("{}", unknown.message),
            None => println!("commit schema/ and generated/ together"),
        }
        Ok(Exit::Ok)
    }

    fn refuse(&self, findings: Findings) -> Failure {
        eprintln!("error: {} is not fit to be published; nothing was written", self.version);
        findings.into()
    }
}
