//! The changelog: what changes for clients from one version to another, with dates, reasons and replacements.
//!
//! Used by `cargo schema changelog` and by the reference site. [`markdown`] and [`json`] write it; the site writes HTML.

mod json;
mod markdown;

use std::collections::HashMap;

use serde::Serialize;

use crate::DatedSdl;
use dated_graphql_schema::Sdl;
use dated_graphql_schema::VersionStatus;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::deprecation::{deprecations, replacements};
use dated_graphql_schema::diff::{self, Level, Pair};
pub use json::json;
pub use markdown::markdown;

/// The changes of several versions, the newest first.
#[derive(Clone, Debug)]
pub struct Changelog<'a> {
    /// Versions that were published.
    pub published: Vec<Entry<'a>>,
    /// Versions that still change.
    pub candidates: Vec<Entry<'a>>,
}

/// The changes of one version since another.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// The version.
    pub version: DatedSdl<'a>,
    /// The older version; the first version has none.
    pub since: Option<&'a Sdl>,
    /// Breaking changes first, then in the order of the schemas.
    pub changes: Vec<Change>,
}

/// One change.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The effect on clients.
    pub level: Level,
    /// The id of the rule, such as `field-removed`.
    pub rule: &'static str,
    /// The schema coordinate, `Book.title`.
    pub coordinate: String,
    /// What changed, without its full stop.
    pub message: String,
    /// Why the change has its level.
    pub reason: &'static str,
    /// The deprecation of the element, where it is deprecated or was removed after it.
    pub deprecation: Option<Deprecation>,
    /// Whether only the older version has the coordinate.
    #[serde(skip)]
    pub gone: bool,
}

/// The deprecation of an element.
#[derive(Clone, Debug, Serialize)]
pub struct Deprecation {
    /// The version that deprecated it.
    pub since: String,
    /// Its reason.
    pub reason: String,
    /// The coordinates that the reason names to use instead.
    pub replacements: Vec<String>,
}

impl<'a> Changelog<'a> {
    /// Returns the changes of every version since the previous version; `versions` are oldest first.
    pub fn new(versions: &'a [DatedSdl<'a>]) -> Self {
        let first = |at: usize| Entry { version: versions[at], since: None, changes: vec![] };
        let entry = |at: usize| at.checked_sub(1).map_or_else(|| first(at), |before| Entry::new(versions, before, at));
        Self::from_entries((0..versions.len()).rev().map(entry))
    }

    /// Returns the changes of the version at `to` since that at `from`.
    pub fn between(versions: &'a [DatedSdl<'a>], from: usize, to: usize) -> Self {
        Self::from_entries([Entry::new(versions, from, to)])
    }

    fn from_entries(entries: impl IntoIterator<Item = Entry<'a>>) -> Self {
        let is_candidate = |entry: &Entry<'_>| entry.version.status == VersionStatus::Candidate;
        let (candidates, published) = entries.into_iter().partition(is_candidate);
        Self { published, candidates }
    }
}

impl<'a> Entry<'a> {
    /// Returns the changes of the version at `to` since that at `from`.
    pub fn new(versions: &'a [DatedSdl<'a>], from: usize, to: usize) -> Self {
        let pair = Pair { old: versions[from].sdl, new: versions[to].sdl };
        let history = History::new(&versions[..=to], pair.new);
        let listed = diff::find(pair).into_iter().filter(|change| change.rule.id != "description-changed");
        let mut changes: Vec<Change> = listed.map(|change| history.change(&change)).collect();
        changes.sort_by_key(|change| std::cmp::Reverse(change.level));
        Self { version: versions[to], since: Some(pair.old), changes }
    }

    /// Returns the changes by level, each with the heading for readers; levels without changes are left out.
    pub fn groups(&self) -> impl Iterator<Item = (&'static str, &[Change])> {
        self.changes.chunk_by(|a, b| a.level == b.level).filter_map(|changes| {
            let title = match changes.first()?.level {
                Level::Breaking => "What you must follow",
                Level::Dangerous => "What you may have to follow",
                Level::Safe => "What is new",
            };
            Some((title, changes))
        })
    }
}

impl Change {
    /// Returns the change in sentences, with code in back ticks.
    pub fn text(&self) -> String {
        let mut text = sentence(&self.message);
        if self.level > Level::Safe {
            text.push_str(&format!(" {}", self.reason));
        }
        let Some(Deprecation { since, reason, replacements }) = &self.deprecation else { return text };
        let end = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
        text.push_str(&match self.gone {
            true => format!(" {since} deprecated it: {reason}{end}"),
            false => format!(" {reason}{end}"),
        });
        let unnamed: Vec<String> =
            replacements.iter().map(|at| format!("`{at}`")).filter(|at| !reason.contains(at)).collect();
        if !unnamed.is_empty() {
            text.push_str(&format!(" Instead: {}.", unnamed.join(", ")));
        }
        text
    }
}

/// The deprecated elements of all versions up to the newest.
struct History<'a> {
    newest: &'a Sdl,
    /// Oldest first: a version, with the reason of each coordinate that it deprecates.
    versions: Vec<(&'a str, HashMap<String, &'a str>)>,
}

impl<'a> History<'a> {
    fn new(versions: &[DatedSdl<'a>], newest: &'a Sdl) -> Self {
        let of_version =
            |version: &DatedSdl<'a>| (version.sdl.version(), deprecations(&version.sdl.schema).into_iter().collect());
        Self { newest, versions: versions.iter().map(of_version).collect() }
    }

    fn change(&self, change: &diff::Change) -> Change {
        let is_here = change.coordinate == coordinate::SCHEMA || self.newest.spans.get(&change.coordinate).is_some();
        let gone = change.removed && !is_here;
        let is_about_deprecation = gone || change.rule.id.contains("deprecat");
        Change {
            level: change.rule.level,
            rule: change.rule.id,
            coordinate: change.coordinate.clone(),
            message: change.message.clone(),
            reason: change.rule.reason,
            deprecation: is_about_deprecation.then(|| self.deprecation(&change.coordinate)).flatten(),
            gone,
        }
    }

    /// Returns the deprecation that the newest version with one says, and the oldest of those in a row with it.
    fn deprecation(&self, at: &str) -> Option<Deprecation> {
        let said = self.versions.iter().map(|(version, reasons)| Some((*version, *reasons.get(at)?)));
        let of_versions: Vec<Option<(&str, &str)>> = said.collect();
        let last = of_versions.iter().rposition(Option::is_some)?;
        let first = of_versions[..last].iter().rposition(Option::is_none).map_or(0, |before| before + 1);
        let ((since, _), (_, reason)) = (of_versions[first]?, of_versions[last]?);
        let is_known = |name: &str| self.newest.spans.get(name).is_some();
        Some(Deprecation {
            since: since.to_owned(),
            reason: reason.to_owned(),
            replacements: replacements(at, reason, is_known),
        })
    }
}

/// Adds a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}
