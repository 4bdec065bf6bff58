//! Where everything of a schema stands in its file, by coordinate: the model keeps no places, because the server needs
//! none. Read by whatever points at a line: changes, lint, waivers.

use std::collections::HashMap;

use cynic_parser::TypeSystemDocument;
use cynic_parser::common::OperationType;
use cynic_parser::type_system::{Definition, Directive, InputValueDefinition, TypeDefinition};

use crate::ast;
use crate::coordinate;
use crate::diagnostic::Span;

/// Where one thing stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its name.
    pub name: Span,
    /// The type it has.
    pub ty: Option<Span>,
    /// Its default value.
    pub default: Option<Span>,
    /// Its description.
    pub description: Option<Span>,
    /// The directives on it, in their order.
    pub uses: Vec<Use>,
}

/// A directive where it is used.
#[derive(Clone, Debug)]
pub struct Use {
    pub name: String,
    /// Name and value as the SDL writes them, in their order.
    pub arguments: Vec<(String, String)>,
    pub span: Span,
}

/// The places of one document.
#[derive(Clone, Debug, Default)]
pub struct Places {
    by_coordinate: HashMap<String, Place>,
    /// A type and an interface it implements, or a union and its member.
    inside: HashMap<(String, String), Span>,
}

impl Places {
    /// The place of a coordinate; of [`coordinate::SCHEMA`] where the document has a schema block.
    pub fn get(&self, coordinate: &str) -> Option<&Place> {
        self.by_coordinate.get(coordinate)
    }

    /// The place of a coordinate, or of the nearest one around it that is there.
    pub fn nearest(&self, coordinate: &str) -> Option<&Place> {
        let mut at = Some(coordinate);
        while let Some(here) = at {
            if let Some(place) = self.get(here) {
                return Some(place);
            }
            at = coordinate::parent(here);
        }
        None
    }

    /// Where `ty` names an interface that it implements, or a member.
    pub fn inside(&self, ty: &str, name: &str) -> Option<Span> {
        self.inside.get(&(ty.to_owned(), name.to_owned())).copied()
    }

    /// The directives on a coordinate.
    pub fn uses(&self, coordinate: &str) -> &[Use] {
        self.get(coordinate).map_or(&[], |place| &place.uses)
    }

    /// Reads the places of a document that passed every rule.
    pub(crate) fn read(document: &TypeSystemDocument, source: &str) -> Self {
        let mut places = Self::default();
        for definition in document.definitions() {
            match definition {
                Definition::Schema(schema) => {
                    let mut place = place(schema.span().into(), schema.directives(), source);
                    // The block itself is long; its first word is enough to point at.
                    let start = schema.description().map_or(schema.span().start, |text| text.span().end);
                    let word = source[start..].find("schema").map_or(start, |at| start + at);
                    place.name = Span { start: word, end: word + "schema".len() };
                    place.description = schema.description().map(|text| text.span().into());
                    places.by_coordinate.insert(coordinate::SCHEMA.to_owned(), place);
                    for root in schema.root_operations() {
                        let root_name = match root.operation_type() {
                            OperationType::Query => "query",
                            OperationType::Mutation => "mutation",
                            OperationType::Subscription => "subscription",
                        };
                        let key = (coordinate::SCHEMA.to_owned(), root_name.to_owned());
                        places.inside.insert(key, root.named_type_span().into());
                    }
                }
                Definition::Type(ty) => places.add_type(ty, source),
                Definition::Directive(directive) => {
                    let name = coordinate::directive(directive.name());
                    let mut place = place(directive.name_span().into(), std::iter::empty(), source);
                    place.description = directive.description().map(|text| text.span().into());
                    places.add_inputs(directive.arguments(), |input| coordinate::argument(&name, input), source);
                    places.by_coordinate.insert(name, place);
                }
                Definition::SchemaExtension(_) | Definition::TypeExtension(_) => {}
            }
        }
        places
    }

    fn add_type(&mut self, ty: TypeDefinition<'_>, source: &str) {
        let name = ty.name();
        let mut own = place(ast::name_span(ty), ty.directives(), source);
        own.description = ty.description().map(|text| text.span().into());
        self.by_coordinate.insert(name.to_owned(), own);
        for (interface, span) in ast::implements(ty, source) {
            self.inside.insert((name.to_owned(), interface.to_owned()), span);
        }
        for field in ast::fields(ty) {
            let at = coordinate::member(name, field.name());
            let mut own = place(field.name_span().into(), field.directives(), source);
            own.ty = Some(field.ty().span().into());
            own.description = field.description().map(|text| text.span().into());
            self.add_inputs(field.arguments(), |input| coordinate::argument(&at, input), source);
            self.by_coordinate.insert(at, own);
        }
        match ty {
            TypeDefinition::Enum(definition) => {
                for value in definition.values() {
                    let mut own = place(value.value_span().into(), value.directives(), source);
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
            let mut own = place(input.name_span().into(), input.directives(), source);
            own.ty = Some(input.ty().span().into());
            own.default = input.default_value().map(|value| value.span().into());
            own.description = input.description().map(|text| text.span().into());
            self.by_coordinate.insert(coordinate(input.name()), own);
        }
    }
}

/// A place with a name and directives.
fn place<'a>(name: Span, directives: impl Iterator<Item = Directive<'a>>, source: &str) -> Place {
    let uses = directives.map(|directive| {
        let arguments = directive.arguments().map(|argument| {
            let span = argument.value().span();
            (argument.name().to_owned(), source[span.start..span.end].to_owned())
        });
        // From the sign before the name to the end of the arguments, where there are any.
        let name = directive.name_span();
        let end = directive.arguments_span().end.max(name.end);
        let span = Span { start: name.start, end };
        Use { name: directive.name().to_owned(), arguments: arguments.collect(), span }
    });
    Place { name, ty: None, default: None, description: None, uses: uses.collect() }
}
