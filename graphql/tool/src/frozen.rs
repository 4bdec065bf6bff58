//! Checks that published versions do not change, except for the words of their descriptions.
//!
//! A version is compared with its digest in `schema/versions.toml` and with the merge base, so that a change of a file
//! together with its digest is found too.

use std::path::Path;

use chrono::NaiveDate;
use dated_graphql_schema::diff::{Change, Pair, find};
use dated_graphql_schema::sdl::Sdl;
use dated_graphql_schema::{Span, VersionStatus};
use serde_json::Value;

use crate::finding::{Finding, Severity};
use crate::git::{Base, Commit, GitError};
use crate::{compat, contract, json_schema};
use dated_graphql_codegen::load;
use dated_graphql_codegen::versions::{self, VersionEntry};

const TAKE_BACK: &str = "take the change back, and put it into the next version: `cargo schema new`";

/// The contents of `schema/versions.toml`.
#[derive(Clone, Copy)]
pub(crate) struct Entries<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub list: &'a [VersionEntry],
}

/// A version at the merge base.
pub(crate) struct Before {
    pub entry: VersionEntry,
    /// `None` if its file was invalid.
    pub sdl: Option<Sdl>,
    /// The paths and contents of its JSON Schemas, if it was published.
    json_schemas: Vec<(String, Value)>,
}

impl Before {
    pub(crate) fn is_published(&self) -> bool {
        self.entry.status != VersionStatus::Candidate
    }
}

/// Returns the versions at the merge base. If there is no merge base, returns none and a finding that says why: an error in CI,
/// otherwise a note outside of git and where nothing is published yet.
pub(crate) fn before(
    root: &Path,
    base: Base<'_>,
    json_schemas: Option<&str>,
    is_published: bool,
) -> Result<(Vec<Before>, Option<Finding>), GitError> {
    let commits = match (Commit::find(root, base), base) {
        (Ok(commits), _) => commits,
        (Err(error), Base::Trunk { required }) => {
            let message = format!("published versions are compared with their digests alone: {error}");
            let severity = match required {
                true => Severity::Error,
                false if is_published && error != GitError::NoRepository => Severity::Warning,
                false => Severity::Note,
            };
            let finding = Finding::new("base-unknown", severity, message);
            let help = "name the branch that this one is merged into: `--base origin/main`";
            return Ok((vec![], Some(finding.help(help))));
        }
        // The base was named on the command line: an error there is not ignored.
        (Err(error), _) => return Err(error),
    };
    let mut before: Vec<Before> = vec![];
    for version in commits.iter().flat_map(|commit| versions_at(root, commit, json_schemas)) {
        match before.iter_mut().find(|older| older.entry.name == version.entry.name) {
            Some(older) if !older.is_published() => *older = version,
            Some(_) => {} // it was published there already
            None => before.push(version),
        }
    }
    Ok((before, None))
}

fn versions_at(root: &Path, commit: &Commit, json_schemas: Option<&str>) -> Vec<Before> {
    let Some(toml) = commit.file(root, "schema/versions.toml") else { return vec![] };
    let names = versions::names(&toml);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let entries = versions::parse("schema/versions.toml", &toml, &names).unwrap_or_default();
    let before = entries.into_iter().map(|entry| {
        let sdl = sdl_at(root, commit, &entry.name);
        let folder = json_schemas.filter(|_| entry.status != VersionStatus::Candidate);
        let committed = folder.map(|folder| json_schema::read_committed(root, commit, folder, &entry.name));
        Before { entry, sdl, json_schemas: committed.unwrap_or_default() }
    });
    before.collect()
}

/// Reads the SDL of a version in a commit: its file, or the files of its folder.
fn sdl_at(root: &Path, commit: &Commit, name: &str) -> Option<Sdl> {
    let path = format!("schema/{name}");
    let file = commit.file(root, &format!("{path}.graphql"));
    let parts = commit.files(root, &path).into_iter().filter(|file| file.ends_with(".graphql"));
    let parts = || parts.filter_map(|file| Some((file.clone(), commit.file(root, &file)?))).collect();
    let text = file.unwrap_or_else(|| load::join(name, parts()).text);
    Sdl::parse(name, &format!("{path} at {}", commit.name), &text).ok()
}

/// Checks the published versions.
pub(crate) fn findings(
    root: &Path,
    sdls: &[Sdl],
    entries: Entries<'_>,
    before: &[Before],
    today: NaiveDate,
) -> Vec<Finding> {
    let mut found = vec![];
    for (sdl, entry) in sdls.iter().zip(entries.list).filter(|(_, entry)| entry.status != VersionStatus::Candidate) {
        let digest = contract::digest(sdl);
        if entry.digest.as_ref() != Some(&digest) {
            let what = match entry.digest {
                None => "has no digest",
                Some(_) => "differs from what was published",
            };
            let message = format!("{} is published, but {what}", entry.name);
            let finding = Finding::new("published-changed", Severity::Error, message).help(TAKE_BACK);
            let span = versions::name_span(entries.source, &entry.name).unwrap_or_else(|| sdl.top());
            found.push(finding.at(entries.path, span, format!("the digest of the file is {digest}")));
        }
    }
    for before in before.iter().filter(|before| before.is_published()) {
        found.extend(compare(root, sdls, entries, before, today));
    }
    found
}

/// Compares a version with the merge base, where it was published.
fn compare(root: &Path, sdls: &[Sdl], entries: Entries<'_>, before: &Before, today: NaiveDate) -> Vec<Finding> {
    let name = &before.entry.name;
    let now = entries.list.iter().find(|entry| entry.name == *name);
    if now.is_none_or(|entry| entry.status == VersionStatus::Candidate) {
        let sunset = before.entry.sunset.as_ref().and_then(|day| day.parse::<NaiveDate>().ok());
        if now.is_none() && sunset.is_some_and(|sunset| sunset < today) {
            return vec![];
        }
        let what = if now.is_some() { "is a candidate again" } else { "is gone" };
        let finding = Finding::new("published-removed", Severity::Error, format!("{name} was published, and {what}"));
        let span = versions::name_span(entries.source, name).unwrap_or(Span { start: 0, end: 0 });
        let help = "a version is deprecated, gets a `sunset`, and goes after that day";
        return vec![finding.at(entries.path, span, "published before").help(help)];
    }
    let Some((old, new)) = before.sdl.as_ref().zip(sdls.iter().find(|sdl| sdl.version() == *name)) else {
        return vec![];
    };
    let mut found = vec![];
    let pair = Pair { old, new };
    if contract::digest(old) != contract::digest(new) {
        let is_listed = |change: &Change| change.rule.id != "description-changed";
        found.extend(find(pair).iter().filter(|change| is_listed(change)).map(|change| {
            let finding = compat::finding(pair, change);
            let message = format!("{name} is published: {}", finding.message);
            Finding { rule: "published-changed", severity: Severity::Error, message, ..finding }.help(TAKE_BACK)
        }));
        if found.is_empty() {
            let message =
                format!("{name} is published: the order of its parts or the numbers of a description changed");
            let finding = Finding::new("published-changed", Severity::Error, message).help(TAKE_BACK);
            found.push(finding.at(&new.path, new.top(), "in this file"));
        }
    }
    for finding in &mut found {
        // The file of another commit cannot be shown.
        finding.at.take_if(|at| at.path == old.path);
        finding.related.take_if(|(at, _)| at.path == old.path);
        finding.notes.push(format!("compared with {}", old.path));
    }
    found.extend(json_schema::findings(root, &before.json_schemas, new));
    found
}
