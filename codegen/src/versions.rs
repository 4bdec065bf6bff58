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
    /// The day from which partners are told to move away; there when it is deprecated, and only then.
    pub deprecated: Option<String>,
    /// The day on which it ends, where that is decided.
    pub sunset: Option<String>,
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
    deprecated: Option<Spanned<Datetime>>,
    sunset: Option<Spanned<Datetime>>,
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
        diagnostics.extend(days(entry));
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
        deprecated: entry.deprecated.map(|day| day.into_inner().to_string()),
        sunset: entry.sunset.map(|day| day.into_inner().to_string()),
    });
    Ok(entries.collect())
}

/// What is wrong with the days of a version.
fn days(entry: &Entry) -> Vec<Diagnostic> {
    let mut diagnostics = vec![];
    let named = [
        ("published", Some(&entry.published)),
        ("deprecated", entry.deprecated.as_ref()),
        ("sunset", entry.sunset.as_ref()),
    ];
    for (name, day) in named.into_iter().filter_map(|(name, day)| Some((name, day?))) {
        if day.get_ref().date.is_none() || day.get_ref().time.is_some() {
            let diagnostic = Diagnostic::new(span(day.span()), format!("`{name}` is a day"), "not a day");
            diagnostics.push(diagnostic.help("write `2026-10-01`".to_owned()));
        }
    }
    let name = span(entry.name.span());
    match (entry.status, &entry.deprecated) {
        (Status::Deprecated, None) => {
            let diagnostic = Diagnostic::new(name, "a deprecated version says since when", "no day");
            diagnostics.push(diagnostic.help("add `deprecated`, and `sunset` once its end is decided".to_owned()));
        }
        (Status::Current, _) => {
            let early = [("deprecated", &entry.deprecated), ("sunset", &entry.sunset)];
            for (what, day) in early.into_iter().filter_map(|(what, day)| Some((what, day.as_ref()?))) {
                let message = format!("a current version has no `{what}`");
                let diagnostic = Diagnostic::new(span(day.span()), message, "of no use");
                diagnostics.push(diagnostic.help("write `status = \"deprecated\"`, or remove the day".to_owned()));
            }
        }
        (Status::Deprecated, Some(_)) => {}
    }
    diagnostics
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span { start: range.start, end: range.end }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "[[version]]\nname = \"2026-10\"\npublished = 2026-10-01\n";

    fn read(rest: &str) -> Result<Vec<VersionEntry>, Vec<String>> {
        parse("versions.toml", &format!("{START}{rest}"), &["2026-10"]).map_err(|report| report.lines().collect())
    }

    #[test]
    fn deprecated_version_has_its_days() {
        let entries = read("status = \"deprecated\"\ndeprecated = 2027-10-01\nsunset = 2028-10-01").expect("right");
        assert_eq!(
            (entries[0].deprecated.as_deref(), entries[0].sunset.as_deref()),
            (Some("2027-10-01"), Some("2028-10-01"))
        );
    }

    #[test]
    fn days_that_do_not_go_with_the_status_are_refused() {
        for (rest, message) in [
            ("status = \"deprecated\"", "a deprecated version says since when"),
            ("status = \"current\"\ndeprecated = 2027-10-01", "a current version has no `deprecated`"),
            ("status = \"current\"\nsunset = 2027-10-01", "a current version has no `sunset`"),
            ("status = \"deprecated\"\ndeprecated = 2027-10-01T00:00:00Z", "`deprecated` is a day"),
        ] {
            let lines = read(rest).expect_err(rest);
            assert!(lines.len() == 1 && lines[0].contains(message), "{lines:?}");
        }
    }
}
