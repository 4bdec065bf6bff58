//! Runs every check on a project. Called by `cargo schema check`, and by `publish` before it publishes.

use std::io;
use std::path::Path;

use chrono::NaiveDate;
use schema::VersionStatus;
use schema::diff::{Level, Pair};
use schema::sdl::Sdl;

use super::branch::BranchChanges;
use super::finding::{Finding, Findings, Severity};
use super::frozen::{self, Entries};
use super::git::{Base, GitError};
use super::levels::Deny;
use super::lint::{self, Scope};
use super::notice::{self, Notice};
use super::operations::Operations;
use super::usage::Usage;
use super::waiver;
use super::{branch, compat, ending, load};
use crate::emit::Names;
use crate::versions::{self, VersionEntry};
use crate::{BuildError, Mode, build};

/// The options of [`check`].
pub struct Options<'a> {
    /// The folder that holds `schema/` and `generated/`.
    pub root: &'a Path,
    pub today: NaiveDate,
    pub base: Base<'a>,
    pub usage: Option<&'a Usage>,
    /// Operations that are checked against the candidate.
    pub operations: Option<&'a Operations>,
    /// Findings that are errors although their severity is milder.
    pub deny: &'a [Deny],
    /// Whether the candidate is published today; otherwise it is in the month of its name at the earliest.
    pub publishes: bool,
}

/// Why [`check`] could not run.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Files(#[from] io::Error),
    #[error(transparent)]
    Git(#[from] GitError),
    /// `--operations` without a candidate.
    #[error("operations are checked against a candidate, and there is none: `cargo schema new` begins one")]
    NoCandidate,
}

/// The result of [`check`].
#[derive(Debug)]
pub struct Checked {
    pub findings: Findings,
    /// `None` if the merge base is not known.
    pub changes: Option<BranchChanges>,
    /// Whether `generated/` is stale.
    pub stale: bool,
}

/// Checks `schema/` and `generated/`.
pub fn check(options: &Options<'_>) -> Result<Checked, CheckError> {
    let (findings, changes) = schema(options)?;
    let mut checked = Checked { findings, changes, stale: false };
    if checked.findings.list().iter().all(|finding| finding.rule != "schema-mistake") {
        match build(options.root, &Names::default(), Mode::Check) {
            Ok(_) => {}
            Err(error @ BuildError::Stale(_)) => {
                checked.stale = true;
                let lines = error.lines().into_iter();
                checked.findings.extend(lines.map(|line| Finding::new("generated-stale", Severity::Error, line)));
            }
            Err(BuildError::Files(error)) => return Err(error.into()),
            Err(error) => {
                let lines = error.lines().into_iter();
                checked.findings.extend(lines.map(|line| Finding::new("schema-mistake", Severity::Error, line)));
            }
        }
    }
    Ok(checked)
}

impl Checked {
    /// Returns whether there are errors other than stale files.
    pub fn failed(&self) -> bool {
        let errors = self.findings.list().into_iter().filter(|finding| finding.severity == Severity::Error);
        errors.into_iter().any(|finding| finding.rule != "generated-stale")
    }
}

/// Checks `schema/` only; also returns what the branch changes.
pub(super) fn schema(options: &Options<'_>) -> Result<(Findings, Option<BranchChanges>), CheckError> {
    let mut findings = Findings::default();
    let loaded = load::load(options.root, &mut findings)?;
    let Some(load::Loaded { sdls, entries, versions_path, versions_text, mut waivers, levels, sign_offs }) = loaded
    else {
        return Ok((findings, None));
    };
    let (before, unknown) = frozen::before(options.root, options.base)?;
    findings.extend(unknown);
    let list = Entries { path: &versions_path, source: &versions_text, list: &entries, sign_offs: &sign_offs };
    let (committed, incomplete) = frozen::signed_off_before(options.root, options.base);
    // Where the merge base is unknown too, one finding says it.
    findings.extend(incomplete.filter(|_| findings.list().iter().all(|finding| finding.rule != "base-unknown")));
    findings.extend(sign_offs.findings(list, &committed));
    findings.extend(frozen::findings(&sdls, list, &before, options.today));
    findings.extend(ending::findings(list, &before, options.today));
    let (today, months) = (options.today.to_string(), versions::notice_months(&versions_text));
    for (at, (sdl, entry)) in sdls.iter().zip(&entries).enumerate() {
        let previous = at.checked_sub(1).map(|at| &sdls[at]);
        let notice = Notice { older: &sdls[..at], entries: &entries[..at], months };
        let published = entry.published.as_ref().and_then(|day| day.parse().ok());
        let published = published.unwrap_or_else(|| match options.publishes {
            true => options.today,
            false => notice::planned(&entry.name, options.today),
        });
        let found = version(sdl, entry, previous, &before).into_iter().map(|finding| notice.apply(finding, published));
        let found = found.map(|finding| Deny::apply(options.deny, levels.apply(finding)));
        if entry.status == VersionStatus::Candidate {
            // Safe changes are for the changelog only.
            let found = found.filter(|finding| finding.level.is_none() || finding.severity > Severity::Note);
            findings.extend(found.map(|finding| {
                let finding = waivers.apply(used(finding, previous, options), &today);
                Finding { waiver: waiver::proposed(&finding, options.today), ..finding }
            }));
        } else {
            findings.extend(found);
            // The waivers of a published version stay as a record.
            let of_change = changes_and_lint(sdl, previous).into_iter().map(|finding| notice.apply(finding, published));
            of_change.for_each(|finding| waivers.settle(&levels.apply(finding)));
        }
    }
    findings.extend(waivers.findings(&today));
    if let Some(operations) = options.operations {
        if entries.last().is_none_or(|entry| entry.status != VersionStatus::Candidate) {
            return Err(CheckError::NoCandidate);
        }
        operations.check(&sdls, &mut findings);
    }
    findings.map(|finding| Some(Deny::apply(options.deny, finding)));
    Ok((findings, branch::changes(&sdls, &before)))
}

/// Lints one version, and compares a candidate with the previous version.
fn version(sdl: &Sdl, entry: &VersionEntry, previous: Option<&Sdl>, before: &[frozen::Before]) -> Vec<Finding> {
    if entry.status != VersionStatus::Candidate {
        // In a published version only descriptions can be new: those that differ from the merge base.
        let base = before.iter().find(|before| before.entry.name == entry.name);
        let base = base.and_then(|before| before.sdl.as_ref()).unwrap_or(sdl);
        return lint::lint(sdl, &Scope::Since(base));
    }
    changes_and_lint(sdl, previous)
}

/// Returns what is found in a version since the previous one.
fn changes_and_lint(sdl: &Sdl, previous: Option<&Sdl>) -> Vec<Finding> {
    let Some(old) = previous else { return lint::lint(sdl, &Scope::Everything) };
    let mut found = lint::lint(sdl, &Scope::Since(old));
    found.extend(compat::compare_published(Pair { old, new: sdl }));
    found
}

/// Adds to a breaking or dangerous change who uses what it affects.
fn used(finding: Finding, previous: Option<&Sdl>, options: &Options<'_>) -> Finding {
    let usage = options.usage.filter(|_| finding.level > Some(Level::Safe));
    let Some((usage, old)) = usage.zip(previous) else { return finding };
    usage.notes(old.version(), &finding.affected, options.today).into_iter().fold(finding, Finding::note)
}
