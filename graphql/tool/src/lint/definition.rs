//! A violation of a rule of lint, and what several rules require.

use dated_graphql_schema::coordinate;
use dated_graphql_schema::diagnostic::Span;
use dated_graphql_schema::model::Type;
use dated_graphql_schema::sdl::Sdl;

/// A violation of a rule.
pub(super) struct LintHit {
    pub coordinate: String,
    pub message: String,
    pub label: String,
    /// The span, where it is not the name at the coordinate.
    pub span: Option<Span>,
    pub help: Option<String>,
}

impl LintHit {
    pub(super) fn new(coordinate: impl Into<String>, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { coordinate: coordinate.into(), message: message.into(), label: label.into(), span: None, help: None }
    }

    pub(super) fn span(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    /// Points at the type of the element.
    pub(super) fn at_type(self, sdl: &Sdl) -> Self {
        let span = sdl.spans.get(&self.coordinate).and_then(|spans| spans.ty);
        self.span(span)
    }

    /// Points at the description of the element.
    pub(super) fn at_description(self, sdl: &Sdl) -> Self {
        let span = sdl.spans.get(&self.coordinate).and_then(|spans| spans.description);
        self.span(span)
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Requires a field of a type.
pub(super) fn require_field(sdl: &Sdl, ty: &Type, name: &str, expected: &str, found: &mut Vec<LintHit>) {
    let coordinate = coordinate::member(&ty.name, name);
    match ty.field(name) {
        None => {
            let message = format!("`{}` has no field `{name}: {expected}`", ty.name);
            found.push(LintHit::new(&ty.name, message, format!("add `{name}: {expected}`")));
        }
        Some(field) if field.ty.to_string() != expected => {
            let message = format!("`{coordinate}` is `{}` and not `{expected}`", field.ty);
            found.push(LintHit::new(coordinate, message, format!("write `{expected}`")).at_type(sdl));
        }
        Some(_) => {}
    }
}
