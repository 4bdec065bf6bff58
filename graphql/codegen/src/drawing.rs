//! Draws an error or a finding as rustc does: the line, a caret, a hint.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use dated_graphql_schema::Report;
use dated_graphql_schema::diagnostic::{LineIndex, Span, boundary};

/// A span in a file, and the text under it.
#[derive(Clone, Copy)]
pub struct Mark<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub lines: &'a LineIndex,
    pub span: Span,
    pub label: &'a str,
}

/// The contents of a drawing.
pub struct Drawing<'a> {
    pub level: Level<'static>,
    /// The id of the rule, if it has one.
    pub id: Option<&'a str>,
    pub title: &'a str,
    pub primary: Option<Mark<'a>>,
    /// A related span, in the same file or another.
    pub related: Option<Mark<'a>>,
    pub notes: &'a [String],
    pub help: Option<&'a str>,
}

impl Drawing<'_> {
    /// Draws as text, in colour if the renderer is styled.
    pub fn draw(&self, renderer: &Renderer) -> String {
        let title = self.level.clone().primary_title(self.title);
        let title = match self.id {
            Some(id) => title.id(id),
            None => title,
        };
        let mut group = Group::with_title(title);
        if let Some(mark) = &self.primary {
            let (same, other): (Vec<_>, Vec<_>) =
                self.related.iter().partition(|related| related.file() == mark.file());
            group = group.element(mark.snippet(AnnotationKind::Primary, same.first().copied()));
            for related in other {
                group = group.element(related.snippet(AnnotationKind::Context, None));
            }
        }
        for note in self.notes {
            group = group.element(Level::NOTE.message(note));
        }
        if let Some(help) = self.help {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group]) + "\n\n"
    }
}

impl<'a> Mark<'a> {
    /// Returns the lines of the mark, and of a related mark in the same file.
    fn snippet(&self, kind: AnnotationKind, related: Option<&Mark<'a>>) -> Snippet<'a, Annotation<'a>> {
        let marks = || std::iter::once((kind, self)).chain(related.map(|mark| (AnnotationKind::Context, mark)));
        let start = marks().map(|(_, mark)| mark.span.start).min().unwrap_or_default();
        let end = marks().map(|(_, mark)| mark.span.end).max().unwrap_or_default();
        let (shown, line) = self.lines.lines(self.source, Span { start, end });
        let annotations = marks().map(|(kind, mark)| kind.span(mark.range(shown)).label(mark.label));
        let text = &self.source[shown.start..shown.end];
        Snippet::source(text).line_start(line).path(self.file()).annotations(annotations)
    }

    /// Returns the path of the file.
    fn file(&self) -> &'a str {
        self.lines.path(self.span.start).unwrap_or(self.path)
    }

    /// Returns the range of the span in the lines that are `shown`, limited to the text and to character boundaries.
    fn range(&self, shown: Span) -> Range<usize> {
        let start = boundary(self.source, self.span.start);
        let end = boundary(self.source, self.span.end).max(start);
        start - shown.start..end - shown.start
    }
}

/// Draws every error of a report.
pub fn report(report: &Report) -> String {
    let lines = &report.line_index();
    let mark = |span, label| Mark { path: report.path(), source: report.source(), lines, span, label };
    let drawings = report.diagnostics().iter().map(|d| {
        let drawing = Drawing {
            level: Level::ERROR,
            id: None,
            title: &d.message,
            primary: Some(mark(d.span, &d.label)),
            related: d.related.as_ref().map(|(span, label)| mark(*span, label)),
            notes: &[],
            help: d.help.as_deref(),
        };
        drawing.draw(&Renderer::plain()) // cargo captures the output of a build script
    });
    drawings.collect()
}
