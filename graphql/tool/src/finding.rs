//! Findings: the errors, warnings and notes of the checks. Written by [`crate::output`].

use std::collections::BTreeMap;

use dated_graphql_schema::Sdl;
use dated_graphql_schema::diagnostic::{LineIndex, Report, Span};
use dated_graphql_schema::diff::Level;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Information.
    Note,
    /// Does not fail the check.
    Warning,
    /// Fails the check, unless it is waived.
    Error,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A span in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub path: String,
    pub span: Span,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The id of the rule; see [`super::registry`].
    pub rule: &'static str,
    pub severity: Severity,
    /// The level of the kind of change, if it is a change.
    pub level: Option<Level>,
    /// The schema coordinate, if it has one.
    pub coordinate: Option<String>,
    /// The coordinates of the old schema whose use a change affects.
    pub affected: Vec<String>,
    /// One line.
    pub message: String,
    /// The text under the caret.
    pub label: String,
    pub at: Option<Location>,
    /// A related location, with its text.
    pub related: Option<(Location, String)>,
    /// Reasons, usage and other information.
    pub notes: Vec<String>,
    /// How to fix it.
    pub help: Option<String>,
    /// The waiver that would allow it, as text of `schema/project.toml`.
    pub waiver: Option<String>,
}

impl Finding {
    pub fn new(rule: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity,
            level: None,
            coordinate: None,
            affected: vec![],
            message: message.into(),
            label: String::new(),
            at: None,
            related: None,
            notes: vec![],
            help: None,
            waiver: None,
        }
    }

    /// Sets the location and its text.
    pub(crate) fn at(mut self, path: &str, span: Span, label: impl Into<String>) -> Self {
        self.at = Some(Location { path: path.to_owned(), span });
        self.label = label.into();
        self
    }

    /// Sets the coordinate.
    pub(crate) fn coordinate(mut self, coordinate: &str) -> Self {
        self.coordinate = Some(coordinate.to_owned());
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Findings, with the texts of the files that they refer to.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    texts: BTreeMap<String, (String, LineIndex)>,
    /// Sentences to print after the findings.
    pub(crate) closing: Vec<String>,
}

impl From<&Report> for Findings {
    /// Returns the errors of a file.
    fn from(report: &Report) -> Self {
        let mut findings = Self::default();
        findings.add_report(report);
        findings
    }
}

impl Findings {
    /// Adds findings.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.list.extend(findings);
    }

    /// Adds the text of a file that findings refer to.
    pub(crate) fn know(&mut self, path: &str, text: &str) {
        self.know_lines(path, text, LineIndex::new(text, &[]));
    }

    fn know_lines(&mut self, path: &str, text: &str, lines: LineIndex) {
        self.texts.insert(path.to_owned(), (text.to_owned(), lines));
    }

    /// Adds the text of a schema that findings refer to.
    pub fn know_sdl(&mut self, sdl: &Sdl) {
        self.know_lines(&sdl.path, sdl.source(), LineIndex::new(sdl.source(), &sdl.files));
    }

    /// Adds the errors of a file.
    pub fn add_report(&mut self, report: &Report) {
        self.know_lines(report.path(), report.source(), report.line_index());
        for d in report.diagnostics() {
            let finding =
                Finding::new("schema-mistake", Severity::Error, &d.message).at(report.path(), d.span, &d.label);
            let related = d.related.as_ref();
            self.list.push(Finding {
                related: related
                    .map(|(span, label)| (Location { path: report.path().to_owned(), span: *span }, label.clone())),
                help: d.help.clone(),
                ..finding
            });
        }
    }

    /// Returns the findings: errors first, then by file and span.
    pub fn list(&self) -> Vec<&Finding> {
        let mut list: Vec<&Finding> = self.list.iter().collect();
        list.sort_by_key(|f| {
            let location = f.at.as_ref().map(|at| (at.path.clone(), at.span));
            (std::cmp::Reverse(f.severity), location, f.rule, f.coordinate.clone())
        });
        list
    }

    /// Returns whether there are errors.
    pub fn failed(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Returns the counts in words: "1 error, 0 warnings, 2 notes".
    pub(crate) fn counts(&self) -> String {
        let count = |severity: Severity| {
            let count = self.count(severity);
            format!("{count} {}{}", severity.as_str(), if count == 1 { "" } else { "s" })
        };
        [Severity::Error, Severity::Warning, Severity::Note].map(count).join(", ")
    }

    /// Keeps the findings of at least this severity.
    pub fn at_least(mut self, severity: Severity) -> Self {
        self.list.retain(|finding| finding.severity >= severity);
        self
    }

    /// Returns the text of a file, with its lines.
    pub(crate) fn text(&self, path: &str) -> Option<&(String, LineIndex)> {
        self.texts.get(path)
    }

    /// Returns line and column of the start of a location, both from 1; columns count characters.
    pub fn position(&self, at: &Location) -> Option<(usize, usize)> {
        let (text, lines) = self.text(&at.path)?;
        Some(lines.position(text, at.span.start))
    }

    /// Formats a finding as `file:line:column: severity[rule]: message`, which editors recognise.
    pub fn line(&self, finding: &Finding) -> String {
        let Finding { rule, severity, message, .. } = finding;
        let location = finding.at.as_ref().map(|at| match self.text(&at.path).zip(self.position(at)) {
            Some(((_, lines), (line, column))) => {
                format!("{}:{line}:{column}: ", lines.path(at.span.start).unwrap_or(&at.path))
            }
            None => format!("{}: ", at.path),
        });
        format!("{}{}[{rule}]: {message}", location.unwrap_or_default(), severity.as_str())
    }
}
