//! From the text of one version to its [`Schema`], or to everything that is wrong with it.
//!
//! Syntax is cynic-parser's; what the specification asks beyond syntax are the rules of [`crate::rule`].

mod syntax_error;
mod unreadable;

use cynic_parser::TypeSystemDocument;
use cynic_parser::common::{OperationType, WrappingType};
use cynic_parser::type_system as ast;
use cynic_parser::type_system::{Definition, TypeDefinition};

use crate::diagnostic::Report;
use crate::model::{Directive, EnumValue, Field, Input, Kind, Roots, Schema, Ty, Type, Wrap};
use crate::place::Places;
use crate::rule::{self, Rules};
use crate::sdl::Sdl;

/// What GraphQL says of a deprecation without a reason (specification, section 3.13.3).
pub const NO_REASON: &str = "No longer supported";

impl Schema {
    /// Reads and checks the SDL of one version.
    pub fn parse(version: &str, source: &str) -> Result<Schema, Report> {
        parse(version, &format!("schema/{version}.graphql"), source, Rules::GraphQl)
    }

    /// Reads the SDL of introspection itself, whose names are reserved for everybody else and which has no root.
    pub fn parse_introspection(source: &str) -> Result<Schema, Report> {
        parse("introspection", "introspection.graphql", source, Rules::Introspection)
    }
}

/// Reads and checks `source`; `path` is what a report calls it.
pub fn parse(version: &str, path: &str, source: &str, rules: Rules<'_>) -> Result<Schema, Report> {
    if let Some(found) = unreadable::find(source) {
        return Err(Report::new(path, source, vec![syntax_error::unreadable_by_the_parser(found, source)]));
    }
    let document = cynic_parser::parse_type_system_document(source)
        .map_err(|error| Report::new(path, source, vec![syntax_error::diagnostic(&error, source)]))?;
    let diagnostics = rule::check(&document, source, rules);
    if diagnostics.is_empty() {
        Ok(schema(&document, version, source))
    } else {
        Err(Report::new(path, source, diagnostics))
    }
}

/// Reads and checks `source`, and keeps where everything stands.
pub fn sdl(version: &str, path: &str, source: &str, rules: Rules<'_>) -> Result<Sdl, Report> {
    let schema = parse(version, path, source, rules)?;
    let places = cynic_parser::parse_type_system_document(source).map(|document| Places::read(&document, source));
    Ok(Sdl { schema, places: places.unwrap_or_default(), path: path.to_owned() })
}

/// The schema of a document that passed every rule.
fn schema(document: &TypeSystemDocument, version: &str, source: &str) -> Schema {
    let mut types = vec![];
    let mut directives = vec![];
    let mut roots = Roots { description: None, query: "Query".to_owned(), mutation: None };
    let mut explicit = false;
    for definition in document.definitions() {
        match definition {
            Definition::Schema(block) => {
                explicit = true;
                roots.description = text(block.description());
                for root in block.root_operations() {
                    match root.operation_type() {
                        OperationType::Query => roots.query = root.named_type().to_owned(),
                        OperationType::Mutation => roots.mutation = Some(root.named_type().to_owned()),
                        OperationType::Subscription => {}
                    }
                }
            }
            Definition::Type(ty) => types.push(type_of(ty, source)),
            Definition::Directive(directive) => directives.push(directive_of(directive, source)),
            Definition::SchemaExtension(_) | Definition::TypeExtension(_) => {}
        }
    }
    if !explicit && types.iter().any(|ty| ty.name == "Mutation") {
        roots.mutation = Some("Mutation".to_owned());
    }
    Schema::new(version.to_owned(), source.to_owned(), roots, types, directives)
}

fn type_of(ty: TypeDefinition<'_>, source: &str) -> Type {
    let kind = match ty {
        TypeDefinition::Scalar(t) => Kind::Scalar { specified_by: argument(t.directives(), "specifiedBy", "url") },
        TypeDefinition::Object(t) => Kind::Object {
            implements: t.implements_interfaces().map(str::to_owned).collect(),
            fields: t.fields().map(|f| field(f, source)).collect(),
        },
        TypeDefinition::Interface(t) => Kind::Interface {
            implements: t.implements_interfaces().map(str::to_owned).collect(),
            fields: t.fields().map(|f| field(f, source)).collect(),
        },
        TypeDefinition::Union(t) => Kind::Union { members: t.members().map(|m| m.name().to_owned()).collect() },
        TypeDefinition::Enum(t) => Kind::Enum { values: t.values().map(enum_value).collect() },
        TypeDefinition::InputObject(t) => {
            Kind::Input { one_of: t.is_one_of(), fields: t.fields().map(|f| input(f, source)).collect() }
        }
    };
    Type { name: ty.name().to_owned(), description: text(ty.description()), kind }
}

fn field(field: ast::FieldDefinition<'_>, source: &str) -> Field {
    Field {
        name: field.name().to_owned(),
        description: text(field.description()),
        args: field.arguments().map(|a| input(a, source)).collect(),
        ty: type_reference(field.ty()),
        deprecated: deprecated(field.directives()),
    }
}

fn input(input: ast::InputValueDefinition<'_>, source: &str) -> Input {
    Input {
        name: input.name().to_owned(),
        description: text(input.description()),
        ty: type_reference(input.ty()),
        default: input.default_value().map(|value| source[value.span().start..value.span().end].to_owned()),
        deprecated: deprecated(input.directives()),
    }
}

fn enum_value(value: ast::EnumValueDefinition<'_>) -> EnumValue {
    EnumValue {
        name: value.value().to_owned(),
        description: text(value.description()),
        deprecated: deprecated(value.directives()),
    }
}

fn directive_of(directive: ast::DirectiveDefinition<'_>, source: &str) -> Directive {
    Directive {
        name: directive.name().to_owned(),
        description: text(directive.description()),
        args: directive.arguments().map(|a| input(a, source)).collect(),
        locations: directive.locations().map(|location| location.as_str()).collect(),
        repeatable: directive.is_repeatable(),
    }
}

/// A type where it is used.
pub(crate) fn type_reference(ty: ast::Type<'_>) -> Ty {
    let wrap = ty.wrappers().map(|wrapper| match wrapper {
        WrappingType::NonNull => Wrap::NonNull,
        WrappingType::List => Wrap::List,
    });
    Ty { wrap: wrap.collect(), name: ty.name().to_owned() }
}

fn text(description: Option<ast::Description<'_>>) -> Option<String> {
    description.map(|description| description.to_cow().into_owned())
}

fn deprecated<'a>(directives: impl Iterator<Item = ast::Directive<'a>>) -> Option<String> {
    let mut directives = directives;
    let directive = directives.find(|d| d.name() == "deprecated")?;
    Some(string(directive, "reason").unwrap_or_else(|| NO_REASON.to_owned()))
}

/// The text of an argument of a directive, where both are there.
fn argument<'a>(directives: impl Iterator<Item = ast::Directive<'a>>, directive: &str, name: &str) -> Option<String> {
    let mut directives = directives;
    string(directives.find(|d| d.name() == directive)?, name)
}

fn string(directive: ast::Directive<'_>, name: &str) -> Option<String> {
    directive.argument(name)?.value().as_str().map(str::to_owned)
}
