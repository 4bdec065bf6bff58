//! Runs every check on a project. Called by `cargo schema check`, and by `publish` before it publishes.

use std::io;
use std::path::Path;

use chrono::NaiveDate;
use dated_graphql_schema::VersionStatus;
use dated_graphql_schema::diff::{Level, Pair};
use dated_graphql_schema::sdl::Sdl;

use crate::finding::{Finding, Findings, Severity};
use crate::frozen::{self, Entries};
use crate::git::{Base, GitError};
use crate::lint::lint;
use crate::notice::{self, Notice};
use crate::usage::Usage;
use crate::{compat, ending, load};
use dated_graphql_codegen::versions::{self, VersionEntry};
use dated_graphql_codegen::{BuildError, Mode, build};

/// The options of [`check`].
pub(crate) struct Options<'a> {
    /// The folder that holds `schema/` and `generated/`.
    pub root: &'a Path,
    pub today: NaiveDate,
    pub base: Base<'a>,
    pub usage: Option<&'a Usage>,
    /// Whether the candidate is published today; otherwise it is in the month of its name at the earliest.
    pub publishes: bool,
}

/// Why [`check`] could not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CheckError {
    #[error(transparent)]
    Files(#[from] io::Error),
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Checks `schema/` and `generated/`.
pub(crate) fn check(options: &Options<'_>) -> Result<Findings, CheckError> {
    let mut findings = schema(options)?;
    if findings.list().iter().all(|finding| finding.rule != "schema-mistake") {
        match build(options.root, Mode::Check) {
            Ok(_) => {}
            Err(BuildError::Files(error)) => return Err(error.into()),
            Err(error) => {
                let is_stale = matches!(error, BuildError::Stale(_));
                let rule = if is_stale { "generated-stale" } else { "schema-mistake" };
                findings.extend([Finding::new(rule, Severity::Error, error.to_string())]);
            }
        }
    }
    Ok(findings)
}

/// Checks `schema/` only.
pub(crate) fn schema(options: &Options<'_>) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let loaded = load::load(options.root, &mut findings)?;
    let Some(load::Loaded { sdls, entries, versions_path, versions_text, mut policy, notes, cost }) = loaded else {
        return Ok(findings);
    };
    let is_published = entries.iter().any(|entry| entry.status != VersionStatus::Candidate);
    let json_schemas = policy.json_schemas.as_deref();
    let (before, unknown) = frozen::before(options.root, options.base, json_schemas, is_published)?;
    findings.extend(unknown);
    let list = Entries { path: &versions_path, source: &versions_text, list: &entries };
    findings.extend(frozen::findings(options.root, &sdls, list, &before, options.today));
    findings.extend(ending::findings(list, &before, options.today));
    let months = versions::notice_months(&versions_text);
    for (at, (sdl, entry)) in sdls.iter().zip(&entries).enumerate() {
        let previous = at.checked_sub(1).map(|at| &sdls[at]);
        let notice = Notice { older: &sdls[..at], entries: &entries[..at], months };
        let published = entry.published.as_ref().and_then(|day| day.parse().ok());
        let published = published.unwrap_or_else(|| match options.publishes {
            true => options.today,
            false => notice::earliest_publication(&entry.name, options.today),
        });
        let found = changes_and_lint(sdl, previous).into_iter().map(|finding| notice.apply(finding, published));
        let found = found.filter_map(|finding| policy.apply_level(finding)).collect::<Vec<_>>();
        if entry.status == VersionStatus::Candidate {
            // Safe changes are for the changelog only.
            let found =
                found.into_iter().filter(|finding| finding.level.is_none() || finding.severity > Severity::Note);
            findings.extend(
                found.map(|finding| policy.apply_waiver(note_usage(finding, previous, options), options.today)),
            );
        } else {
            found.iter().for_each(|finding| policy.settle(finding));
            let lint = lint_published(sdl, entry, &before).into_iter();
            findings.extend(lint.filter_map(|finding| policy.apply_level(finding)));
        }
    }
    if entries.last().is_some_and(|newest| newest.status == VersionStatus::Candidate) {
        findings.closing = cost;
    }
    findings.extend(notes.into_iter().filter_map(|finding| policy.apply_level(finding)));
    findings.extend(policy.unused());
    Ok(findings)
}

/// Lints a published version, in which only the descriptions that differ from the merge base are new.
fn lint_published(sdl: &Sdl, entry: &VersionEntry, before: &[frozen::Before]) -> Vec<Finding> {
    let base = before.iter().find(|before| before.entry.name == entry.name);
    lint(sdl, Some(base.and_then(|before| before.sdl.as_ref()).unwrap_or(sdl)))
}

/// Returns the changes of a version since the previous one, and the findings of lint.
fn changes_and_lint(sdl: &Sdl, previous: Option<&Sdl>) -> Vec<Finding> {
    let mut found = lint(sdl, previous);
    found.extend(previous.into_iter().flat_map(|old| compat::compare_published(Pair { old, new: sdl })));
    found
}

/// Adds the clients that use the affected elements to a breaking or dangerous change.
fn note_usage(finding: Finding, previous: Option<&Sdl>, options: &Options<'_>) -> Finding {
    let usage = options.usage.filter(|_| finding.level > Some(Level::Safe));
    let Some((usage, old)) = usage.zip(previous) else { return finding };
    usage.notes(old.version(), &finding.affected, options.today).into_iter().fold(finding, Finding::note)
}
