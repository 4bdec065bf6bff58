//! `schema/versions.toml`: what the SDL of a version cannot say about it. Read by the build.

use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use crate::diagnostic::{Diagnostic, Report, Span};

/// What the file says of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionEntry {
    /// As in the name of its SDL file.
    pub name: String,
    pub status: Status,
    /// The day it was published, `YYYY-MM-DD`.
    pub published: String,
}

/// Where a version is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// To build on.
    Current,
    /// Still served; to move away from.
    Deprecated,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<String>,
    status: Status,
    published: Spanned<Datetime>,
}

/// Reads the file; `versions` are the names of the SDL files beside it, oldest first.
pub(crate) fn parse(path: &str, source: &str, versions: &[&str]) -> Result<Vec<VersionEntry>, Report> {
    let file: File = toml::from_str(source).map_err(|error| {
        let span = error.span().map_or(Span { start: 0, end: 0 }, span);
        Report::new(path, source, vec![Diagnostic::new(span, error.message(), "here")])
    })?;
    let mut diagnostics = vec![];
    for (at, entry) in file.version.iter().enumerate() {
        let (name, place) = (entry.name.get_ref(), span(entry.name.span()));
        if !versions.contains(&&**name) {
            let help = format!("write schema/{name}.graphql, or remove the entry");
            diagnostics
                .push(Diagnostic::new(place, format!("there is no schema/{name}.graphql"), "no such file").help(help));
        }
        if let Some(before) = file.version[..at].last().filter(|before| before.name.get_ref() >= name) {
            let message = "versions stand in the order of their dates, each once";
            let diagnostic = Diagnostic::new(place, message, "not after the one before it");
            diagnostics.push(diagnostic.related(span(before.name.span()), "the one before it"));
        }
        let published = entry.published.get_ref();
        if published.date.is_none() || published.time.is_some() {
            let place = span(entry.published.span());
            diagnostics.push(
                Diagnostic::new(place, "`published` is a day", "not a day").help("write `2026-10-01`".to_owned()),
            );
        }
    }
    for version in versions.iter().filter(|name| !file.version.iter().any(|entry| entry.name.get_ref() == *name)) {
        let end = Span { start: source.trim_end().len(), end: source.trim_end().len() };
        let help = format!("add `[[version]]` with `name = \"{version}\"`, `status` and `published`");
        let message = format!("schema/{version}.graphql has no entry");
        diagnostics.push(Diagnostic::new(end, message, "not in this file").help(help));
    }
    if !diagnostics.is_empty() {
        return Err(Report::new(path, source, diagnostics));
    }
    let entries = file.version.into_iter().map(|entry| VersionEntry {
        name: entry.name.into_inner(),
        status: entry.status,
        published: entry.published.into_inner().to_string(),
    });
    Ok(entries.collect())
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span { start: range.start, end: range.end }
}
