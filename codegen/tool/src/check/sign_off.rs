//! `schema/published.txt`: every digest that was published, with the day and the name of the person who signed it off.
//! `cargo schema publish` appends a line, and no line is ever removed, so a published version changes only with a new line.

use schema::VersionStatus;
use schema::diagnostic::{Diagnostic, Report, Span};

use super::finding::{Finding, Severity};
use super::frozen::Entries;
use crate::versions;

/// The path of the file in the project.
pub(super) const PATH: &str = "schema/published.txt";

const HEAD: &str = "# Every digest that was published: version, digest, day, and who signed it off. `cargo schema publish` appends a\n\
                    # line; no line is changed or removed.\n";

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SignOff {
    pub version: String,
    pub digest: String,
    pub day: String,
    pub name: String,
}

/// The lines of the file, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct SignOffs {
    pub list: Vec<SignOff>,
}

impl SignOff {
    /// Reads a line; `None` if it has another form.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut parts = line.trim().splitn(4, ' ').map(str::to_owned);
        let (version, digest, day, name) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let is_day = day.len() == "2026-10-01".len() && day.starts_with(|c: char| c.is_ascii_digit());
        (digest.starts_with("sha256:") && is_day).then_some(Self { version, digest, day, name })
    }

    /// Writes the line.
    pub(super) fn line(&self) -> String {
        format!("{} {} {} {}", self.version, self.digest, self.day, self.name)
    }
}

impl SignOffs {
    /// Reads the file.
    pub(super) fn parse(path: &str, source: &str) -> Result<Self, Report> {
        let (mut list, mut diagnostics, mut start) = (vec![], vec![], 0);
        for line in source.split_inclusive('\n') {
            let span = Span { start, end: start + line.trim_end().len() };
            start += line.len();
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            match SignOff::parse(line) {
                Some(sign_off) => list.push(sign_off),
                None => diagnostics.push(
                    Diagnostic::new(span, "a line is a version, a digest, a day and a name", "this line")
                        .help("`cargo schema publish` writes it".to_owned()),
                ),
            }
        }
        if diagnostics.is_empty() { Ok(Self { list }) } else { Err(Report::new(path, source, diagnostics)) }
    }

    /// Returns the latest line of a version.
    pub(super) fn latest(&self, version: &str) -> Option<&SignOff> {
        self.list.iter().rfind(|sign_off| sign_off.version == version)
    }

    /// Returns an error for each published version whose digest is not its latest line, and for each line that was committed
    /// and is not in the file.
    pub(super) fn findings(&self, entries: Entries<'_>, committed: &[SignOff]) -> Vec<Finding> {
        let mut found = vec![];
        let published = entries.list.iter().filter(|entry| entry.status != VersionStatus::Candidate);
        for (entry, digest) in published.filter_map(|entry| Some((entry, entry.digest.as_ref()?))) {
            if self.latest(&entry.name).is_some_and(|latest| latest.digest == *digest) {
                continue;
            }
            let message = format!("the digest of {} is not signed off in {PATH}", entry.name);
            let finding = Finding::new("sign-off-missing", Severity::Error, message);
            let span = versions::name_span(entries.source, &entry.name).unwrap_or(Span { start: 0, end: 0 });
            let help = format!(
                "take the change back; or sign it off: `cargo schema publish {} --change-published`",
                entry.name
            );
            found.push(finding.at(entries.path, span, "this version").help(help));
        }
        for gone in committed.iter().filter(|line| !self.list.contains(line)) {
            let message = format!("a line of {PATH} that was committed is not there: {}", gone.line());
            let finding = Finding::new("sign-off-removed", Severity::Error, message);
            found.push(finding.at(PATH, Span { start: 0, end: 0 }, "not in this file").help("add the line again"));
        }
        found
    }
}

/// Adds a line to the text of the file.
pub(super) fn with_line(source: &str, sign_off: &SignOff) -> String {
    let head = if source.is_empty() { HEAD } else { "" };
    let end = if source.is_empty() || source.ends_with('\n') { "" } else { "\n" };
    format!("{head}{source}{end}{}\n", sign_off.line())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_read_as_it_is_written() {
        let sign_off = SignOff {
            version: "2026-10".to_owned(),
            digest: "sha256:0f".to_owned(),
            day: "2026-10-01".to_owned(),
            name: "Anna de Vries <anna@example.org>".to_owned(),
        };
        let text = with_line("", &sign_off);
        let later = SignOff { digest: "sha256:1f".to_owned(), ..sign_off.clone() };
        let read = SignOffs::parse(PATH, &with_line(&text, &later)).expect("lines");
        assert_eq!(read.list, [sign_off, later.clone()]);
        assert_eq!(read.latest("2026-10"), Some(&later));
        assert_eq!(read.latest("2027-01"), None);
    }

    #[test]
    fn line_of_another_form_is_an_error() {
        let report = SignOffs::parse(PATH, "# Note.\n2026-10 sha256:0f 2026-10-01\n").expect_err("no name");
        let lines: Vec<String> = report.lines().collect();
        assert!(lines.len() == 1 && lines[0].starts_with("schema/published.txt:2:1: a line is"), "{lines:?}");
    }
}
