//! A finding: what a command has to say about a place. Made by the judges of [`super`], written down by [`super::output`].

use std::collections::BTreeMap;

use crate::Sdl;
use crate::diagnostic::{Report, Span, position};
use crate::diff::Level;

/// How a finding counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// To know.
    Note,
    /// To look at; it fails nothing.
    Warning,
    /// To mend, or to waive.
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

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    pub path: String,
    pub span: Span,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The id of its rule; see [`super::registry`].
    pub rule: &'static str,
    pub severity: Severity,
    /// Of a change: how bad its kind is.
    pub level: Option<Level>,
    /// Where in the schema it is, where it is in one.
    pub coordinate: Option<String>,
    /// What it is, in one line.
    pub message: String,
    /// What to write under the place.
    pub label: String,
    pub at: Option<At>,
    /// Another place that belongs to it.
    pub related: Option<(At, String)>,
    /// Why, who uses it, and what else there is to know.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Finding {
    pub(crate) fn new(rule: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity,
            level: None,
            coordinate: None,
            message: message.into(),
            label: String::new(),
            at: None,
            related: None,
            notes: vec![],
            help: None,
        }
    }

    /// At a place.
    pub(crate) fn at(mut self, path: &str, span: Span, label: impl Into<String>) -> Self {
        self.at = Some(At { path: path.to_owned(), span });
        self.label = label.into();
        self
    }

    /// At a coordinate of a schema.
    pub(crate) fn coordinate(mut self, coordinate: &str) -> Self {
        self.coordinate = Some(coordinate.to_owned());
        self
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Everything that was found, with the texts of the files it speaks of.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    texts: BTreeMap<String, String>,
}

/// Line and column from one, in characters: where it begins and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Findings {
    /// Adds findings.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.list.extend(findings);
    }

    /// Lets findings point into a file.
    pub(crate) fn know(&mut self, path: &str, text: &str) {
        self.texts.insert(path.to_owned(), text.to_owned());
    }

    /// Lets findings point into the file of a schema.
    pub fn know_sdl(&mut self, sdl: &Sdl) {
        self.know(&sdl.path, sdl.source());
    }

    /// Adds the mistakes of a file that is no schema.
    pub fn add_report(&mut self, report: &Report) {
        self.know(report.path(), report.source());
        for d in report.diagnostics() {
            let finding =
                Finding::new("schema-mistake", Severity::Error, &d.message).at(report.path(), d.span, &d.label);
            let related = d.related.as_ref();
            self.list.push(Finding {
                related: related
                    .map(|(span, label)| (At { path: report.path().to_owned(), span: *span }, label.clone())),
                help: d.help.clone(),
                ..finding
            });
        }
    }

    /// The findings: errors first, then by file and place.
    pub fn list(&self) -> Vec<&Finding> {
        let mut list: Vec<&Finding> = self.list.iter().collect();
        list.sort_by_key(|f| {
            let place = f.at.as_ref().map(|at| (at.path.clone(), at.span));
            (std::cmp::Reverse(f.severity), place, f.rule, f.coordinate.clone())
        });
        list
    }

    /// Whether anything was found that must be mended.
    pub fn failed(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Keeps only what counts at least so much.
    pub fn at_least(mut self, severity: Severity) -> Self {
        self.list.retain(|finding| finding.severity >= severity);
        self
    }

    /// Lets every finding through `change`, which may drop it.
    pub(crate) fn map(&mut self, change: impl FnMut(Finding) -> Option<Finding>) {
        self.list = std::mem::take(&mut self.list).into_iter().filter_map(change).collect();
    }

    /// The text of a file that a finding points into.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// Line and column of a place.
    pub fn position(&self, at: &At) -> Option<Position> {
        let text = self.text(&at.path)?;
        let (line, column) = position(text, at.span.start);
        let (end_line, end_column) = position(text, at.span.end.max(at.span.start));
        Some(Position { line, column, end_line, end_column })
    }

    /// `file:line:column: severity[rule]: message`, as editors read it.
    pub fn line(&self, finding: &Finding) -> String {
        let Finding { rule, severity, message, .. } = finding;
        let place = finding.at.as_ref().map(|at| match self.position(at) {
            Some(Position { line, column, .. }) => format!("{}:{line}:{column}: ", at.path),
            None => format!("{}: ", at.path),
        });
        format!("{}{}[{rule}]: {message}", place.unwrap_or_default(), severity.as_str())
    }
}
