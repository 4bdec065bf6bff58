//! Draws an error or a finding as rustc does: the line, a caret, a hint.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use schema::Report;
use schema::diagnostic::{Span, boundary};

/// A span in a file, and the text under it.
#[derive(Clone, Copy)]
pub(crate) struct Mark<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub span: Span,
    pub label: &'a str,
}

/// The contents of a drawing.
pub(crate) struct Picture<'a> {
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

impl Picture<'_> {
    /// Draws without colour, because cargo captures the output.
    pub(crate) fn draw(&self) -> String {
        let title = self.level.clone().primary_title(self.title);
        let title = match self.id {
            Some(id) => title.id(id),
            None => title,
        };
        let mut group = Group::with_title(title);
        if let Some(mark) = &self.primary {
            let primary = AnnotationKind::Primary.span(mark.range()).label(mark.label);
            let mut snippet = Snippet::source(mark.source).path(mark.path).annotation(primary);
            match &self.related {
                Some(related) if related.path == mark.path => {
                    let context = AnnotationKind::Context.span(related.range()).label(related.label);
                    snippet = snippet.annotation(context);
                    group = group.element(snippet);
                }
                Some(related) => {
                    let context = AnnotationKind::Context.span(related.range()).label(related.label);
                    let other = Snippet::source(related.source).path(related.path).annotation(context);
                    group = group.element(snippet).element(other);
                }
                None => group = group.element(snippet),
            }
        }
        for note in self.notes {
            group = group.element(Level::NOTE.message(note));
        }
        if let Some(help) = self.help {
            group = group.element(Level::HELP.message(help));
        }
        Renderer::plain().render(&[group]) + "\n\n"
    }
}

impl Mark<'_> {
    /// Returns the range of the span, limited to the text and to character boundaries.
    fn range(&self) -> Range<usize> {
        let start = boundary(self.source, self.span.start);
        start..boundary(self.source, self.span.end).max(start)
    }
}

/// Draws every error of a report.
pub(crate) fn report(report: &Report) -> String {
    let mark = |span, label| Mark { path: report.path(), source: report.source(), span, label };
    let pictures = report.diagnostics().iter().map(|d| {
        let picture = Picture {
            level: Level::ERROR,
            id: None,
            title: &d.message,
            primary: Some(mark(d.span, &d.label)),
            related: d.related.as_ref().map(|(span, label)| mark(*span, label)),
            notes: &[],
            help: d.help.as_deref(),
        };
        picture.draw()
    });
    pictures.collect()
}
