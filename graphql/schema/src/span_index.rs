//! The spans of the elements of a schema in its file, by coordinate. Used by changes, lint and the digest.
//!
//! The model has no spans, because the GraphQL engine does not need them.

use std::collections::HashMap;

use dated_graphql_syntax::{Description, Directive, InputValueDefinition, TypeDefinition, TypeSystemDocument};

use crate::coordinate;
use crate::diagnostic::Span;

/// The spans of one element.
#[derive(Clone, Debug)]
pub struct ElementSpans {
    /// The name.
    pub name: Span,
    /// The type of a field or input.
    pub ty: Option<Span>,
    /// The default value.
    pub default: Option<Span>,
    /// The description.
    pub description: Option<Span>,
    /// The directives on it, in order.
    pub uses: Vec<Use>,
}

/// A use of a directive.
#[derive(Clone, Debug)]
pub struct Use {
    /// The name without `@`.
    pub name: String,
    /// Name and value as text of the SDL, in order.
    pub arguments: Vec<(String, String)>,
    /// From the `@` to the end of the arguments.
    pub span: Span,
}

/// The spans of one document, by coordinate.
#[derive(Clone, Debug, Default)]
pub struct SpanIndex {
    by_coordinate: HashMap<String, ElementSpans>,
    /// By type and implemented interface, union and member, or schema and root.
    inside: HashMap<(String, String), Span>,
}

impl SpanIndex {
    /// Returns the spans of a coordinate; [`coordinate::SCHEMA`] has spans only if the document has a schema block.
    pub fn get(&self, coordinate: &str) -> Option<&ElementSpans> {
        self.by_coordinate.get(coordinate)
    }

    /// Returns the spans of a coordinate, or of the nearest enclosing coordinate that exists.
    pub fn nearest(&self, coordinate: &str) -> Option<&ElementSpans> {
        let mut at = Some(coordinate);
        while let Some(here) = at {
            if let Some(element) = self.get(here) {
                return Some(element);
            }
            at = coordinate::parent(here);
        }
        None
    }

    /// Returns the span in `ty` of the name of an implemented interface, a member or a root.
    pub fn inside(&self, ty: &str, name: &str) -> Option<Span> {
        self.inside.get(&(ty.to_owned(), name.to_owned())).copied()
    }

    /// Returns the directives on a coordinate.
    pub fn uses(&self, coordinate: &str) -> &[Use] {
        self.get(coordinate).map_or(&[], |element| &element.uses)
    }

    /// Indexes a document that passed every rule.
    pub(crate) fn read(document: &TypeSystemDocument<'_>, source: &str) -> Self {
        let mut spans = Self::default();
        for schema in &document.schemas {
            let element = element(schema.span, schema.description, &schema.directives, source);
            spans.by_coordinate.insert(coordinate::SCHEMA.to_owned(), element);
            for root in &schema.roots {
                let key = (coordinate::SCHEMA.to_owned(), root.operation.text.to_owned());
                spans.inside.insert(key, root.ty.span);
            }
        }
        document.types.iter().for_each(|ty| spans.add_type(ty, source));
        for directive in &document.directives {
            let name = coordinate::directive(directive.name.text);
            spans.add_inputs(&directive.arguments, |input| coordinate::argument(&name, input), source);
            spans.by_coordinate.insert(name, element(directive.span, directive.description, &[], source));
        }
        spans
    }

    fn add_type(&mut self, ty: &TypeDefinition<'_>, source: &str) {
        let name = ty.name.text;
        self.by_coordinate.insert(name.to_owned(), element(ty.name.span, ty.description, &ty.directives, source));
        for inside in ty.implements.iter().chain(&ty.members) {
            self.inside.insert((name.to_owned(), inside.text.to_owned()), inside.span);
        }
        for field in &ty.fields {
            let at = coordinate::member(name, field.name.text);
            let own = element(field.name.span, field.description, &field.directives, source);
            self.add_inputs(&field.arguments, |input| coordinate::argument(&at, input), source);
            self.by_coordinate.insert(at, ElementSpans { ty: Some(field.ty.span), ..own });
        }
        for value in &ty.values {
            let own = element(value.name.span, value.description, &value.directives, source);
            self.by_coordinate.insert(coordinate::member(name, value.name.text), own);
        }
        self.add_inputs(&ty.inputs, |field| coordinate::member(name, field), source);
    }

    fn add_inputs(&mut self, inputs: &[InputValueDefinition<'_>], coordinate: impl Fn(&str) -> String, source: &str) {
        for input in inputs {
            let own = element(input.name.span, input.description, &input.directives, source);
            let (ty, default) = (Some(input.ty.span), input.default.as_ref().map(|value| value.span));
            self.by_coordinate.insert(coordinate(input.name.text), ElementSpans { ty, default, ..own });
        }
    }
}

/// Makes the spans of an element with a name, a description and directives.
fn element(
    name: Span,
    description: Option<Description<'_>>,
    directives: &[Directive<'_>],
    source: &str,
) -> ElementSpans {
    let uses = directives.iter().map(|directive| {
        let arguments = directive.arguments.iter().map(|argument| {
            let span = argument.value.span;
            (argument.name.text.to_owned(), source[span.start..span.end].to_owned())
        });
        Use { name: directive.name.text.to_owned(), arguments: arguments.collect(), span: directive.span }
    });
    let description = description.map(|description| description.span);
    ElementSpans { name, ty: None, default: None, description, uses: uses.collect() }
}
