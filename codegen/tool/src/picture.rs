//! The picture of a mistake or a finding: the line, a caret under the place, a hint. Drawn by rustc's own renderer.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use schema::Report;
use schema::diagnostic::{Span, boundary};

/// A place in a file, and what to write under it.
#[derive(Clone, Copy)]
pub(crate) struct Mark<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub span: Span,
    pub label: &'a str,
}

/// What to draw.
pub(crate) struct Picture<'a> {
    pub level: Level<'static>,
    /// The rule, where it has a name.
    pub id: Option<&'a str>,
    pub title: &'a str,
    pub primary: Option<Mark<'a>>,
    /// Another place that belongs to it, in the same file or another.
    pub related: Option<Mark<'a>>,
    pub notes: &'a [String],
    pub help: Option<&'a str>,
}

impl Picture<'_> {
    /// Without colour, because cargo captures it.
    pub fn draw(&self) -> String {
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
    /// The span as bytes that the renderer can draw, also when it points past the end.
    fn range(&self) -> Range<usize> {
        let start = boundary(self.source, self.span.start);
        start..boundary(self.source, self.span.end).max(start)
    }
}

/// Draws every mistake of a report with its line, a caret and its hint.
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
