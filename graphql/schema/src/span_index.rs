//! The spans of the elements of a schema in its file, by coordinate. Used by changes, lint and the digest.
//!
//! The model has no spans, because the GraphQL engine does not need them.

use std::collections::HashMap;

use cynic_parser::TypeSystemDocument;
use cynic_parser::common::OperationType;
use cynic_parser::type_system::{Definition, Directive, InputValueDefinition, TypeDefinition};

use crate::ast;
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

    /// Moves every span.
    pub(crate) fn move_all(&mut self, to: impl Fn(Span) -> Span) {
        for element in self.by_coordinate.values_mut() {
            let ElementSpans { name, ty, default, description, uses } = element;
            let optional = [ty, default, description].into_iter().flatten();
            let all = optional.chain(uses.iter_mut().map(|used| &mut used.span)).chain([name]);
            all.for_each(|span| *span = to(*span));
        }
        self.inside.values_mut().for_each(|span| *span = to(*span));
    }

    /// Indexes a document that passed every rule.
    pub(crate) fn read(document: &TypeSystemDocument, source: &str) -> Self {
        let mut spans = Self::default();
        for definition in document.definitions() {
            match definition {
                Definition::Schema(schema) => {
                    let mut element = element(schema.span().into(), schema.directives(), source);
                    // The span of the keyword, not of the whole block.
                    let start = schema.description().map_or(schema.span().start, |text| text.span().end);
                    let word = source[start..].find("schema").map_or(start, |at| start + at);
                    element.name = Span { start: word, end: word + "schema".len() };
                    element.description = schema.description().map(|text| text.span().into());
                    spans.by_coordinate.insert(coordinate::SCHEMA.to_owned(), element);
                    for root in schema.root_operations() {
                        let root_name = match root.operation_type() {
                            OperationType::Query => "query",
                            OperationType::Mutation => "mutation",
                            OperationType::Subscription => "subscription",
                        };
                        let key = (coordinate::SCHEMA.to_owned(), root_name.to_owned());
                        spans.inside.insert(key, root.named_type_span().into());
                    }
                }
                Definition::Type(ty) => spans.add_type(ty, source),
                Definition::Directive(directive) => {
                    let name = coordinate::directive(directive.name());
                    let mut element = element(directive.name_span().into(), std::iter::empty(), source);
                    element.description = directive.description().map(|text| text.span().into());
                    spans.add_inputs(directive.arguments(), |input| coordinate::argument(&name, input), source);
                    spans.by_coordinate.insert(name, element);
                }
                Definition::SchemaExtension(_) | Definition::TypeExtension(_) => {}
            }
        }
        spans
    }

    fn add_type(&mut self, ty: TypeDefinition<'_>, source: &str) {
        let name = ty.name();
        let mut own = element(ast::name_span(ty), ty.directives(), source);
        own.description = ty.description().map(|text| text.span().into());
        self.by_coordinate.insert(name.to_owned(), own);
        for (interface, span) in ast::implements(ty, source) {
            self.inside.insert((name.to_owned(), interface.to_owned()), span);
        }
        for field in ast::fields(ty) {
            let at = coordinate::member(name, field.name());
            let mut own = element(field.name_span().into(), field.directives(), source);
            own.ty = Some(field.ty().span().into());
            own.description = field.description().map(|text| text.span().into());
            self.add_inputs(field.arguments(), |input| coordinate::argument(&at, input), source);
            self.by_coordinate.insert(at, own);
        }
        match ty {
            TypeDefinition::Enum(definition) => {
                for value in definition.values() {
                    let mut own = element(value.value_span().into(), value.directives(), source);
                    own.description = value.description().map(|text| text.span().into());
                    self.by_coordinate.insert(coordinate::member(name, value.value()), own);
                }
            }
            TypeDefinition::Union(union) => {
                for member in union.members() {
                    self.inside.insert((name.to_owned(), member.name().to_owned()), member.span().into());
                }
            }
            TypeDefinition::InputObject(input) => {
                self.add_inputs(input.fields(), |field| coordinate::member(name, field), source);
            }
            _ => {}
        }
    }

    fn add_inputs<'a>(
        &mut self,
        inputs: impl Iterator<Item = InputValueDefinition<'a>>,
        coordinate: impl Fn(&str) -> String,
        source: &str,
    ) {
        for input in inputs {
            let mut own = element(input.name_span().into(), input.directives(), source);
            own.ty = Some(input.ty().span().into());
            own.default = input.default_value().map(|value| value.span().into());
            own.description = input.description().map(|text| text.span().into());
            self.by_coordinate.insert(coordinate(input.name()), own);
        }
    }
}

/// Makes the spans of an element with a name and directives.
fn element<'a>(name: Span, directives: impl Iterator<Item = Directive<'a>>, source: &str) -> ElementSpans {
    let uses = directives.map(|directive| {
        let arguments = directive.arguments().map(|argument| {
            let span = argument.value().span();
            (argument.name().to_owned(), source[span.start..span.end].to_owned())
        });
        // From the name to the end of the arguments, if there are any.
        let name = directive.name_span();
        let end = directive.arguments_span().end.max(name.end);
        let span = Span { start: name.start, end };
        Use { name: directive.name().to_owned(), arguments: arguments.collect(), span }
    });
    ElementSpans { name, ty: None, default: None, description: None, uses: uses.collect() }
}
