//! Errors in a file of `schema/`.
//!
//! Made by the parsers and the rules; printed by the build script and `cargo schema`.

use std::fmt;

pub use dated_graphql_syntax::Span;

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
    pub fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { span, message: message.into(), label: label.into(), related: None, help: None }
    }

    /// Adds a related span, such as that of the first of two duplicates.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
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
    files: Vec<FileStart>,
    diagnostics: Vec<Diagnostic>,
}

/// A file of a text that is several files, one after the other.
#[derive(Clone, Debug)]
pub struct FileStart {
    /// The path in reports.
    pub path: String,
    /// Where it starts in the text.
    pub at: usize,
}

impl Report {
    /// Makes the report of a file; sorts the errors by span.
    pub fn new(path: &str, source: &str, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort_by_key(|d| d.span);
        Self { path: path.to_owned(), source: source.to_owned(), files: vec![], diagnostics }
    }

    /// Says which files the text consists of, if it is several.
    pub fn with_files(self, files: &[FileStart]) -> Self {
        Self { files: files.to_vec(), ..self }
    }

    /// Returns the errors in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Formats each error as `file:line:column: message (hint)`, which editors and CI recognise.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let index = self.line_index();
        self.diagnostics.iter().map(move |d| {
            let (line, column) = index.position(&self.source, d.span.start);
            let help = d.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            let path = index.path(d.span.start).unwrap_or(&self.path);
            format!("{path}:{line}:{column}: {}{help}", d.message)
        })
    }

    /// Finds the lines of the text.
    pub fn line_index(&self) -> LineIndex {
        LineIndex::new(&self.source, &self.files)
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
pub struct LineIndex {
    starts: Vec<usize>,
    /// The number of characters before each block of the text, for lines that are long.
    characters: Vec<usize>,
    /// The files of the text, if it is several.
    files: Vec<FileStart>,
}

/// The bytes of a block.
const BLOCK: usize = 1024;

impl LineIndex {
    /// Finds the lines of a text.
    pub fn new(source: &str, files: &[FileStart]) -> Self {
        let breaks = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        let mut characters = vec![0];
        for block in source.as_bytes().chunks(BLOCK) {
            characters.push(characters[characters.len() - 1] + character_count(block));
        }
        Self { starts, characters, files: files.to_vec() }
    }

    /// Returns the path of the file that contains a byte, if the text is several files.
    pub fn path(&self, at: usize) -> Option<&str> {
        self.file(at).map(|file| &*file.path)
    }

    fn file(&self, at: usize) -> Option<&FileStart> {
        self.files.iter().rev().find(|file| file.at <= at)
    }

    /// Returns the number of a line of the text in its file.
    fn line_in_file(&self, line: usize) -> usize {
        let before = self.file(self.starts[line - 1]).map(|file| self.starts.partition_point(|start| *start < file.at));
        line - before.unwrap_or_default()
    }

    /// Returns the number of characters before a byte.
    fn characters_before(&self, source: &str, at: usize) -> usize {
        self.characters[at / BLOCK] + character_count(&source.as_bytes()[at / BLOCK * BLOCK..at])
    }

    /// Returns line and column of a byte of the text, in its file. Both start at one; the column counts characters.
    pub fn position(&self, source: &str, at: usize) -> (usize, usize) {
        let at = boundary(source, at);
        let line = self.starts.partition_point(|start| *start <= at);
        let line_start = self.starts[line - 1];
        (self.line_in_file(line), self.characters_before(source, at) - self.characters_before(source, line_start) + 1)
    }

    /// Returns the bytes of the lines of a span, and the number of the first in its file.
    pub fn lines(&self, source: &str, span: Span) -> (Span, usize) {
        let first = self.starts.partition_point(|start| *start <= span.start.min(source.len()));
        let after = self.starts.partition_point(|start| *start <= span.end.min(source.len()));
        let end = self.starts.get(after).copied().unwrap_or(source.len());
        (Span { start: self.starts[first - 1], end }, self.line_in_file(first))
    }
}

/// Returns the number of characters that start in these bytes of UTF-8.
fn character_count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| *byte & 0b1100_0000 != 0b1000_0000).count()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_counts_characters_in_a_line_of_any_length() {
        let source = format!("{}\n{}x", "é".repeat(BLOCK), "🌹a".repeat(3 * BLOCK));
        let index = LineIndex::new(&source, &[]);
        let line_start = 2 * BLOCK + 1;
        assert_eq!(index.position(&source, 0), (1, 1));
        assert_eq!(index.position(&source, line_start - 1), (1, BLOCK + 1));
        assert_eq!(index.position(&source, line_start), (2, 1));
        assert_eq!(index.position(&source, line_start + 5 * 700 + 4), (2, 2 * 700 + 2));
        assert_eq!(index.position(&source, line_start + 5 * 700 + 1), (2, 2 * 700 + 1), "the start of its character");
        assert_eq!(index.position(&source, source.len()), (2, 6 * BLOCK + 2));
        let whole = "a".repeat(2 * BLOCK);
        assert_eq!(LineIndex::new(&whole, &[]).position(&whole, whole.len()), (1, 2 * BLOCK + 1));
    }
}
