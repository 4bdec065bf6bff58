//! Checks that published versions do not change, except for the words of their descriptions.
//!
//! A version is compared with its digest in `schema/versions.toml` and with the merge base, so that a change of a file
//! together with its digest is found too.

use std::path::Path;

use chrono::NaiveDate;
use schema::VersionStatus;
use schema::diff::{Change, Level, Pair, find};
use schema::sdl::Sdl;
use serde_json::Value;

use super::compat;
use super::contract;
use super::finding::{Finding, Location, Severity};
use super::git::{self, Base, Commit, GitError};
use super::payload;
use super::sign_off::{self, SignOff, SignOffs};
use crate::versions::{self, VersionEntry};

/// The contents of `schema/versions.toml`.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub list: &'a [VersionEntry],
    pub sign_offs: &'a SignOffs,
}

/// A version at the merge base.
pub(super) struct Before {
    /// The commit, for messages.
    pub commit: String,
    pub entry: VersionEntry,
    /// `None` if its file was invalid.
    pub sdl: Option<Sdl>,
    /// The digests that were signed off then.
    sign_offs: SignOffs,
    /// The topics and JSON Schemas of its notifications, if it was published.
    payloads: Vec<(String, Value)>,
}

/// Returns the versions at the merge base. If there is no merge base, returns none and a finding that says why.
pub(super) fn before(root: &Path, base: Base<'_>) -> Result<(Vec<Before>, Option<Finding>), GitError> {
    let commits = match (Commit::find(root, base), base) {
        (Ok(commits), _) => commits,
        (Err(error), Base::MergeBase { required }) => {
            let message = format!("published versions are compared with their digests alone: {error}");
            let severity = if required { Severity::Error } else { Severity::Warning };
            let finding = Finding::new("base-unknown", severity, message);
            let help = "name the branch that this one is merged into: `--base origin/main`";
            return Ok((vec![], Some(finding.help(help))));
        }
        // The base was named on the command line: an error there is not ignored.
        (Err(error), _) => return Err(error),
    };
    let mut before: Vec<Before> = vec![];
    for version in commits.iter().flat_map(|commit| versions_at(root, commit)) {
        match before.iter_mut().find(|older| older.entry.name == version.entry.name) {
            Some(older) if older.entry.status == VersionStatus::Candidate => *older = version,
            Some(_) => {} // it was published there already
            None => before.push(version),
        }
    }
    Ok((before, None))
}

fn versions_at(root: &Path, commit: &Commit) -> Vec<Before> {
    let Some(toml) = commit.file(root, "schema/versions.toml") else { return vec![] };
    let names = versions::names(&toml);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let entries = versions::parse("schema/versions.toml", &toml, &names).unwrap_or_default();
    let sign_offs = commit.file(root, sign_off::PATH).and_then(|text| SignOffs::parse(sign_off::PATH, &text).ok());
    let sign_offs = sign_offs.unwrap_or_default();
    let before = entries.into_iter().map(|entry| {
        let path = format!("schema/{}.graphql", entry.name);
        let text = commit.file(root, &path);
        let shown = format!("{path} at {}", commit.name);
        let sdl = text.and_then(|text| Sdl::parse(&entry.name, &shown, &text).ok());
        let published = sdl.as_ref().filter(|_| entry.status != VersionStatus::Candidate);
        let payloads = published.map(|sdl| payload::committed(root, commit, sdl)).unwrap_or_default();
        Before { commit: commit.name.clone(), entry, sdl, sign_offs: sign_offs.clone(), payloads }
    });
    before.collect()
}

/// Checks the published versions.
pub(super) fn findings(sdls: &[Sdl], entries: Entries<'_>, before: &[Before], today: NaiveDate) -> Vec<Finding> {
    let mut found = vec![];
    for (sdl, entry) in sdls.iter().zip(entries.list).filter(|(_, entry)| entry.status != VersionStatus::Candidate) {
        let digest = contract::digest(sdl);
        let span = versions::name_span(entries.source, &entry.name).unwrap_or_else(|| sdl.top());
        match &entry.digest {
            None => {
                let message = format!("{} is published, but has no digest", entry.name);
                let finding = Finding::new("published-digest-missing", Severity::Error, message);
                let help = format!("run `cargo schema publish {}`, which records `{digest}`", entry.name);
                found.push(finding.at(entries.path, span, "no `digest`").help(help));
            }
            Some(recorded) if *recorded != digest => {
                let message = format!("{} is published, but differs from what was published", entry.name);
                let finding = Finding::new("published-changed", Severity::Error, message);
                let finding = finding.at(entries.path, span, format!("the digest of the file is {digest}"));
                found.push(finding.help("take the change back, and put it into the next version: `cargo schema new`"));
            }
            Some(_) => {}
        }
    }
    for before in before.iter().filter(|before| before.entry.status != VersionStatus::Candidate) {
        found.extend(compared(sdls, entries, before, today));
    }
    found
}

/// Compares a version with the merge base, where it was published.
fn compared(sdls: &[Sdl], entries: Entries<'_>, before: &Before, today: NaiveDate) -> Vec<Finding> {
    let name = &before.entry.name;
    let now = entries.list.iter().find(|entry| entry.name == *name);
    if now.is_none_or(|entry| entry.status == VersionStatus::Candidate) {
        let over = before
            .entry
            .sunset
            .as_deref()
            .and_then(|day| day.parse::<NaiveDate>().ok())
            .is_some_and(|sunset| sunset < today);
        if over && now.is_none() {
            return vec![];
        }
        let what = if now.is_some() { "is a candidate again" } else { "is gone" };
        let message = format!("{name} was published, and {what}");
        let finding = Finding::new("published-removed", Severity::Error, message);
        let top = schema::Span { start: 0, end: 0 };
        let span = versions::name_span(entries.source, name).unwrap_or(top);
        let help = "a version is deprecated, gets a `sunset`, and goes after that day";
        return vec![finding.at(entries.path, span, "published before").help(help)];
    }
    let Some((old, new)) = before.sdl.as_ref().zip(sdls.iter().find(|sdl| sdl.version() == *name)) else {
        return vec![];
    };
    let mut found = vec![];
    let pair = Pair { old, new };
    let about_text = |change: &Change| change.rule.level == Level::Safe && change.rule.id.contains("-description-");
    if contract::digest(old) != contract::digest(new) {
        let changes: Vec<Change> = find(pair).into_iter().filter(|change| !about_text(change)).collect();
        found.extend(changes.iter().map(|change| {
            let finding = compat::finding(pair, change);
            let message = format!("{name} is published: {}", finding.message);
            let help = "take it back, and put it into the next version: `cargo schema new`".to_owned();
            Finding { rule: "published-changed", severity: Severity::Error, message, help: Some(help), ..finding }
        }));
        if changes.is_empty() {
            let message = format!("{name} is published: the order of its parts or the unit of a figure changed");
            let finding = Finding::new("published-changed", Severity::Error, message);
            found.push(finding.at(&new.path, new.top(), "in this file"));
        }
    }
    found.iter_mut().for_each(|finding| remove_other_file(finding, &old.path));
    found.extend(payload::findings(&before.payloads, new));
    // A change that a person signed off since is shown, and allowed.
    let signed =
        now.and_then(|now| entries.sign_offs.latest(name).filter(|signed| now.digest.as_ref() == Some(&signed.digest)));
    if let Some(signed) = signed.filter(|signed| !before.sign_offs.list.contains(signed)) {
        let note = format!("signed off by {} on {}", signed.name, signed.day);
        found = found
            .into_iter()
            .map(|finding| Finding { severity: Severity::Warning, help: None, ..finding.note(&note) })
            .collect();
    }
    found
}

/// Returns the lines of `schema/published.txt` in all commits, and a finding if not all commits are there.
pub(super) fn signed_off_before(root: &Path, base: Base<'_>) -> (Vec<SignOff>, Option<Finding>) {
    if base == Base::Nothing {
        return (vec![], None);
    }
    let committed = git::lines_of_history(root, sign_off::PATH);
    let unknown = git::is_shallow(root).unwrap_or_default().then(|| {
        let message = format!("the history of {} is not complete in this shallow clone", sign_off::PATH);
        let required = base != Base::MergeBase { required: false };
        let severity = if required { Severity::Error } else { Severity::Warning };
        Finding::new("base-unknown", severity, message).help("fetch all commits: `git fetch --unshallow`")
    });
    (committed.iter().filter_map(|line| SignOff::parse(line)).collect(), unknown)
}

/// Removes locations in the file of another commit, which cannot be shown, and names that file in a note.
fn remove_other_file(finding: &mut Finding, old: &str) {
    if finding.at.as_ref().is_some_and(|at: &Location| at.path == old) {
        finding.at = None;
    }
    if finding.related.as_ref().is_some_and(|(at, _)| at.path == old) {
        finding.related = None;
    }
    finding.notes.push(format!("compared with {old}"));
}
