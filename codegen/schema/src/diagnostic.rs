//! What is wrong with an SDL file, told so that the person who wrote it can mend it.
//!
//! Made by the parser and the rules; shown by the build (`file:line:column` for tools, a picture for people).

use std::fmt;

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl From<cynic_parser::Span> for Span {
    fn from(span: cynic_parser::Span) -> Self {
        Self { start: span.start, end: span.end }
    }
}

/// One mistake.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Where it is.
    pub span: Span,
    /// What it is, in one line.
    pub message: String,
    /// What to write under the place.
    pub label: String,
    /// Another place that belongs to it.
    pub related: Option<(Span, String)>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake at `span`.
    pub fn new(span: impl Into<Span>, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { span: span.into(), message: message.into(), label: label.into(), related: None, help: None }
    }

    /// With another place, such as where the first of two is.
    pub fn related(mut self, span: impl Into<Span>, label: impl Into<String>) -> Self {
        self.related = Some((span.into(), label.into()));
        self
    }

    /// With a hint, where there is one.
    pub fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }

    /// With the word that was probably meant.
    pub fn did_you_mean(self, word: Option<&str>) -> Self {
        self.help(word.map(|word| format!("did you mean `{word}`?")))
    }
}

/// Everything that is wrong with one file.
#[derive(Clone, Debug)]
pub struct Report {
    path: String,
    source: String,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// A report on the file at `path`, its mistakes in the order of the file.
    pub fn new(path: &str, source: &str, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort_by_key(|d| d.span);
        Self { path: path.to_owned(), source: source.to_owned(), diagnostics }
    }

    /// The mistakes, in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// `file:line:column: message (hint)`, one for each mistake: what editors and CI annotate.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.diagnostics.iter().map(|d| {
            let (line, column) = position(&self.source, d.span.start);
            let help = d.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{}:{line}:{column}: {}{help}", self.path, d.message)
        })
    }

    /// The file, as the report calls it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The text of the file.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Line and column of a byte, both from one, the column in characters.
pub fn position(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..boundary(source, at)];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

/// The nearest byte at or before `at` at which a character begins.
pub fn boundary(source: &str, at: usize) -> usize {
    let at = at.min(source.len());
    (0..=at).rev().find(|at| source.is_char_boundary(*at)).unwrap_or_default()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl std::error::Error for Report {}
