//! `schema/versions.toml`: the status and the days of each version. Read by the build script and by `cargo schema`, which
//! also updates it ([`with_candidate`], [`with_publication`]).

use dated_graphql_schema::VersionStatus;
use dated_graphql_schema::diagnostic::{Diagnostic, Report, Span, not_utf8};
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

/// The months that a version lasts at least after its deprecation, where the file does not say otherwise.
const NOTICE_MONTHS_DEFAULT: u32 = 6;

/// The entry of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionEntry {
    /// The name of its SDL file without extension.
    pub name: String,
    pub status: VersionStatus,
    /// The day of publication, `YYYY-MM-DD`; a candidate has none.
    pub published: Option<String>,
    /// The digest of the published schema (see `check::frozen`); a candidate has none.
    pub digest: Option<String>,
    /// The day of deprecation; set if and only if the status is deprecated.
    pub deprecated: Option<String>,
    /// The day on which the version ends, if that is decided.
    pub sunset: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    notice_months: Option<u32>,
    version: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<String>,
    status: Spanned<VersionStatus>,
    published: Option<Spanned<Datetime>>,
    digest: Option<Spanned<String>>,
    deprecated: Option<Spanned<Datetime>>,
    sunset: Option<Spanned<Datetime>>,
}

/// Parses the file; `versions` are the names of the SDL files, oldest first.
pub fn parse(path: &str, source: &str, versions: &[&str]) -> Result<Vec<VersionEntry>, Report> {
    let file = read(path, source)?;
    let mut diagnostics = vec![];
    for (index, entry) in file.version.iter().enumerate() {
        let (name, at) = (entry.name.get_ref(), span(entry.name.span()));
        if !versions.contains(&&**name) {
            let help = format!("write schema/{name}.graphql, or remove the entry");
            diagnostics
                .push(Diagnostic::new(at, format!("there is no schema/{name}.graphql"), "no such file").help(help));
        }
        if let Some(before) = file.version[..index].last().filter(|before| before.name.get_ref() >= name) {
            let message = "versions are in the order of their dates, each once";
            let diagnostic = Diagnostic::new(at, message, "not after the one before it");
            diagnostics.push(diagnostic.related(span(before.name.span()), "the one before it"));
        }
        let last = index + 1 == file.version.len();
        if *entry.status.get_ref() == VersionStatus::Candidate && !last {
            let diagnostic = Diagnostic::new(at, "only the newest version is a candidate", "others follow it");
            diagnostics.push(diagnostic.help(format!("publish it with `cargo schema publish {name}`")));
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
    let day = |day: Option<Spanned<Datetime>>| day.map(|day| day.into_inner().to_string());
    let entries = file.version.into_iter().map(|entry| VersionEntry {
        name: entry.name.into_inner(),
        status: entry.status.into_inner(),
        published: day(entry.published),
        digest: entry.digest.map(Spanned::into_inner),
        deprecated: day(entry.deprecated),
        sunset: day(entry.sunset),
    });
    Ok(entries.collect())
}

fn read(path: &str, source: &str) -> Result<File, Report> {
    if let Some(error) = not_utf8(source) {
        return Err(Report::new(path, source, vec![error]));
    }
    toml::from_str(source).map_err(|error| {
        let span = error.span().map_or(Span { start: 0, end: 0 }, span);
        Report::new(path, source, vec![Diagnostic::new(span, error.message(), "here")])
    })
}

/// Returns the months that a version lasts at least after its deprecation: `notice_months` in the file.
pub fn notice_months(source: &str) -> u32 {
    let file: Result<File, _> = toml::from_str(source);
    file.ok().and_then(|file| file.notice_months).unwrap_or(NOTICE_MONTHS_DEFAULT)
}

/// Returns the names of the versions in the file.
pub fn names(source: &str) -> Vec<String> {
    let file: Result<File, _> = toml::from_str(source);
    file.map(|file| file.version.into_iter().map(|entry| entry.name.into_inner()).collect()).unwrap_or_default()
}

/// Returns the span of the name of a version in the file.
pub fn name_span(source: &str, version: &str) -> Option<Span> {
    let file: File = toml::from_str(source).ok()?;
    let entry = file.version.into_iter().find(|entry| entry.name.get_ref() == version)?;
    Some(span(entry.name.span()))
}

/// Adds a candidate to the end of the file.
pub fn with_candidate(source: &str, version: &str) -> String {
    format!("{}\n\n[[version]]\nname = \"{version}\"\nstatus = \"candidate\"\n", source.trim_end())
}

/// Records the publication of a version, and keeps the rest of the file with its comments. Returns `None` if the file does
/// not contain the version.
pub fn with_publication(source: &str, version: &str, day: &str, digest: &str) -> Option<String> {
    let file: File = toml::from_str(source).ok()?;
    let entry = file.version.into_iter().find(|entry| entry.name.get_ref() == version)?;
    let status = entry.status.span();
    let mut lines = String::new();
    if entry.published.is_none() {
        lines.push_str(&format!("\npublished = {day}"));
    }
    if entry.digest.is_none() {
        lines.push_str(&format!("\ndigest = \"{digest}\""));
    }
    // Inserts after the line of `status` or `published`, whichever comes last.
    let last = entry.published.map_or(status.end, |published| published.span().end.max(status.end));
    let end = source[last..].find('\n').map_or(source.len(), |at| last + at);
    let word = match entry.status.get_ref() {
        VersionStatus::Candidate => "\"current\"",
        _ => &source[status.clone()],
    };
    Some(format!("{}{word}{}{lines}{}", &source[..status.start], &source[status.end..end], &source[end..]))
}

/// Checks the days of a version.
fn days(entry: &Entry) -> Vec<Diagnostic> {
    let mut diagnostics = vec![];
    let named = [
        ("published", entry.published.as_ref()),
        ("deprecated", entry.deprecated.as_ref()),
        ("sunset", entry.sunset.as_ref()),
    ];
    let given: Vec<(&str, &Spanned<Datetime>)> =
        named.into_iter().filter_map(|(name, day)| Some((name, day?))).collect();
    for (name, day) in &given {
        if day.get_ref().date.is_none() || day.get_ref().time.is_some() {
            let diagnostic = Diagnostic::new(span(day.span()), format!("`{name}` is a day"), "not a day");
            diagnostics.push(diagnostic.help("write `2026-10-01`".to_owned()));
        }
    }
    let name = span(entry.name.span());
    let status = *entry.status.get_ref();
    if status == VersionStatus::Candidate {
        let digest = entry.digest.as_ref().map(|digest| ("digest", digest.span()));
        for (what, at) in given.iter().map(|(what, day)| (*what, day.span())).chain(digest) {
            let message = format!("a candidate has no `{what}`");
            let diagnostic = Diagnostic::new(span(at), message, "only once it is published");
            diagnostics.push(diagnostic.help("publish it with `cargo schema publish`, or remove the line".to_owned()));
        }
    } else if entry.published.is_none() {
        let diagnostic = Diagnostic::new(name, "a published version says since when", "no day");
        diagnostics.push(diagnostic.help("add `published`, or write `status = \"candidate\"`".to_owned()));
    }
    if status == VersionStatus::Deprecated && entry.deprecated.is_none() {
        let diagnostic = Diagnostic::new(name, "a deprecated version says since when", "no day");
        diagnostics.push(diagnostic.help("add `deprecated`, and `sunset` once its end is decided".to_owned()));
    }
    if status == VersionStatus::Current {
        for (what, day) in given.iter().filter(|(what, _)| *what != "published") {
            let diagnostic =
                Diagnostic::new(span(day.span()), format!("a current version has no `{what}`"), "of no use");
            diagnostics.push(diagnostic.help("write `status = \"deprecated\"`, or remove the day".to_owned()));
        }
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
            ("status = \"candidate\"", "a candidate has no `published`"),
            ("status = \"deprecated\"\ndeprecated = 2027-10-01T00:00:00Z", "`deprecated` is a day"),
        ] {
            let lines = read(rest).expect_err(rest);
            assert!(lines.len() == 1 && lines[0].contains(message), "{lines:?}");
        }
    }

    #[test]
    fn candidate_is_last_and_has_no_days() {
        let source = "[[version]]\nname = \"2026-10\"\nstatus = \"candidate\"\n";
        let entries = parse("versions.toml", source, &["2026-10"]).expect("right");
        assert_eq!((entries[0].status, &entries[0].published), (VersionStatus::Candidate, &None));
        let followed = with_candidate(source, "2027-01");
        let said: Vec<String> =
            parse("versions.toml", &followed, &["2026-10", "2027-01"]).expect_err("two").lines().collect();
        assert!(said.len() == 1 && said[0].contains("only the newest version is a candidate"), "{said:?}");
        let without = "[[version]]\nname = \"2026-10\"\nstatus = \"current\"\n";
        let said: Vec<String> = parse("versions.toml", without, &["2026-10"]).expect_err("no day").lines().collect();
        assert!(said[0].contains("a published version says since when"), "{said:?}");
    }

    #[test]
    fn publication_changes_its_entry_and_keeps_the_rest() {
        let source = "# Mine.\n[[version]]\nname = \"a\"\nstatus = \"current\" # yes\npublished = 2026-10-01 # then\n";
        let recorded = with_publication(source, "a", "2027-01-01", "sha256:1").expect("there");
        let expected = "# Mine.\n[[version]]\nname = \"a\"\nstatus = \"current\" # yes\npublished = 2026-10-01 # then\n\
                        digest = \"sha256:1\"\n";
        assert_eq!(recorded, expected);
        let both = with_candidate(&recorded, "b");
        let published = with_publication(&both, "b", "2027-01-01", "sha256:2").expect("there");
        let entry = "[[version]]\nname = \"b\"\nstatus = \"current\"\npublished = 2027-01-01\ndigest = \"sha256:2\"\n";
        assert_eq!(published, format!("{recorded}\n{entry}"));
        assert_eq!(with_publication(source, "c", "2027-01-01", "x"), None);
        assert_eq!(name_span(&both, "b").map(|span| &both[span.start..span.end]), Some("\"b\""));
    }
}
