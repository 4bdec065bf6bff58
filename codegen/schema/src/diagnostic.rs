//! Errors in a file of `schema/`.
//!
//! Made by the parsers and the rules; printed by the build script and `cargo schema`.

use std::fmt;

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl From<cynic_parser::Span> for Span {
    fn from(span: cynic_parser::Span) -> Self {
        Self { start: span.start, end: span.end }
    }
}

/// An error in a file.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The range in the file that the error is about.
    pub span: Span,
    /// One line.
    pub message: String,
    /// The text under the caret.
    pub label: String,
    /// Another span that explains it, with its text.
    pub related: Option<(Span, String)>,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Makes an error at `span`.
    pub fn new(span: impl Into<Span>, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { span: span.into(), message: message.into(), label: label.into(), related: None, help: None }
    }

    /// Adds a related span, such as that of the first of two duplicates.
    pub fn related(mut self, span: impl Into<Span>, label: impl Into<String>) -> Self {
        self.related = Some((span.into(), label.into()));
        self
    }

    /// Moves its spans.
    pub(crate) fn moved(self, to: impl Fn(Span) -> Span) -> Self {
        let related = self.related.map(|(span, label)| (to(span), label));
        Self { span: to(self.span), related, ..self }
    }

    /// Adds a hint on how to fix it, if there is one.
    pub fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }

    /// Adds the name that was probably meant, if there is one.
    pub fn did_you_mean(self, name: Option<&str>) -> Self {
        self.help(name.map(|name| format!("did you mean `{name}`?")))
    }
}

/// The errors in one file.
#[derive(Clone, Debug)]
pub struct Report {
    path: String,
    source: String,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Makes the report of a file; sorts the errors by span.
    pub fn new(path: &str, source: &str, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort_by_key(|d| d.span);
        Self { path: path.to_owned(), source: source.to_owned(), diagnostics }
    }

    /// Returns the errors in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Formats each error as `file:line:column: message (hint)`, which editors and CI recognise.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let index = LineIndex::new(&self.source);
        self.diagnostics.iter().map(move |d| {
            let (line, column) = index.position(&self.source, d.span.start);
            let help = d.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{}:{line}:{column}: {}{help}", self.path, d.message)
        })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the text of the file.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Returns an error if a text has U+FFFD, which replaces bytes that are not UTF-8.
pub fn not_utf8(source: &str) -> Option<Diagnostic> {
    let start = source.find(char::REPLACEMENT_CHARACTER)?;
    let span = Span { start, end: start + char::REPLACEMENT_CHARACTER.len_utf8() };
    let help = "save it as UTF-8; U+FFFD replaces bytes that are no character".to_owned();
    Some(Diagnostic::new(span, "the file is not UTF-8", "no character").help(help))
}

/// Where the lines of a text start, so that a position is found without counting from the top.
#[derive(Clone, Debug)]
pub struct LineIndex(Vec<usize>);

impl LineIndex {
    /// Finds the lines of a text.
    pub fn new(source: &str) -> Self {
        let breaks = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }

    /// Returns line and column of a byte of the text. Both start at one; the column counts characters.
    pub fn position(&self, source: &str, at: usize) -> (usize, usize) {
        let at = boundary(source, at);
        let line = self.0.partition_point(|start| *start <= at);
        (line, source[self.0[line - 1]..at].chars().count() + 1)
    }

    /// Returns the bytes of the lines of a span, and the number of the first.
    pub fn lines(&self, source: &str, span: Span) -> (Span, usize) {
        let first = self.0.partition_point(|start| *start <= span.start.min(source.len()));
        let after = self.0.partition_point(|start| *start <= span.end.min(source.len()));
        let end = self.0.get(after).copied().unwrap_or(source.len());
        (Span { start: self.0[first - 1], end }, first)
    }
}

/// Returns the start of the character that contains the byte `at`.
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
