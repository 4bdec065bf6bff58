//! Reads `schema/` for the checks: every SDL, `versions.toml`, `project.toml`.

use std::io;
use std::path::Path;

use dated_graphql_schema::Sdl;
use dated_graphql_schema::model::Schema;
use dated_graphql_schema::rule::Rules;

use crate::finding::{Finding, Findings, Severity};
use crate::policy::Policy;
use dated_graphql_codegen::load::{self, PROJECT};
use dated_graphql_codegen::notes::notes;
use dated_graphql_codegen::versions::{self, VersionEntry};
use dated_graphql_codegen::{
    emit::{RustPaths, cost},
    rule,
};

/// The contents of a schema folder.
pub(crate) struct Loaded {
    /// Oldest first; one for each of `entries`.
    pub sdls: Vec<Sdl>,
    pub entries: Vec<VersionEntry>,
    pub versions_path: String,
    pub versions_text: String,
    pub policy: Policy,
    /// What the generator decided about the newest version.
    pub notes: Vec<Finding>,
    /// What the newest version asks for in code.
    pub cost: Vec<String>,
}

/// Reads the folder. If a file has errors, adds them to the findings and returns `None`.
pub(crate) fn load(root: &Path, findings: &mut Findings) -> io::Result<Option<Loaded>> {
    let folder = root.join("schema");
    let sources = load::load(&folder)?;
    let (names, project) = load::names(root)?;
    findings.know(PROJECT, &project);
    let names = match names {
        Ok(names) => names,
        Err(report) => {
            findings.add_report(&report);
            return Ok(None);
        }
    };
    let (mut sdls, mut mistakes) = (vec![], vec![]);
    for source in &sources.schemas {
        match source.parse(Rules::Extended(rule::check)) {
            Ok(sdl) => sdls.push(sdl),
            Err(report) => mistakes.push(report),
        }
    }
    let known: Vec<&str> = sources.schemas.iter().map(|source| &*source.name).collect();
    let load::Source { path: versions_path, text: versions_text, .. } = sources.versions;
    let entries = versions::parse(&versions_path, &versions_text, &known).map_err(|report| mistakes.push(report));
    if mistakes.is_empty() {
        mistakes.extend(names.check_names(PROJECT, &project, sdls.iter().map(|sdl| &sdl.schema)).err());
    }
    let policy = Policy::parse(PROJECT, &project).map_err(|report| mistakes.push(report));
    mistakes.iter().for_each(|report| findings.add_report(report));
    sdls.iter().for_each(|sdl| findings.know_sdl(sdl));
    findings.know(&versions_path, &versions_text);
    let (Ok(entries), Ok(policy), true) = (entries, policy, mistakes.is_empty()) else { return Ok(None) };
    let notes = sdls.last().map(|newest| generator_notes(newest, &names)).unwrap_or_default();
    let schemas: Vec<Schema> = sdls.iter().map(|sdl| sdl.schema.clone()).collect();
    let cost = cost(&schemas, &names);
    Ok(Some(Loaded { notes, cost, sdls, entries, versions_path, versions_text, policy }))
}

/// Returns the decisions of the generator about a version.
fn generator_notes(sdl: &Sdl, names: &RustPaths) -> Vec<Finding> {
    let notes = notes(&sdl.schema, names).into_iter().map(|note| {
        let finding = Finding::new(note.rule, Severity::Warning, note.message).coordinate(&note.coordinate);
        let finding = finding.at(&sdl.path, sdl.span(&note.coordinate).unwrap_or(sdl.top()), "");
        Finding { help: note.help, ..finding }
    });
    notes.collect()
}
