//! The picture of a mistake: the line, a caret under the place, a hint. Drawn by rustc's own renderer.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::{Report, Span};

impl Report {
    /// Every mistake with its line, a caret and its hint; without colour, because cargo captures it.
    pub fn picture(&self) -> String {
        let renderer = Renderer::plain();
        let mut text = String::new();
        for d in &self.diagnostics {
            let primary = AnnotationKind::Primary.span(self.range(d.span)).label(&d.label);
            let mut snippet = Snippet::source(&self.source).path(&self.path).annotation(primary);
            if let Some((span, label)) = &d.related {
                snippet = snippet.annotation(AnnotationKind::Context.span(self.range(*span)).label(label));
            }
            let mut group = Level::ERROR.primary_title(&d.message).element(snippet);
            if let Some(help) = &d.help {
                group = group.element(Level::HELP.message(help));
            }
            text.push_str(&renderer.render(&[group]));
            text.push_str("\n\n");
        }
        text
    }

    /// A span as bytes that the renderer can draw, also when it points past the end.
    fn range(&self, span: Span) -> std::ops::Range<usize> {
        let start = self.boundary(span.start.min(self.source.len()));
        start..self.boundary(span.end).max(start)
    }
}
