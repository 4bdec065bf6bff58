//! Reads the SDL of one version into a [`Schema`], or reports every error in it.
//!
//! cynic-parser reads the syntax; [`crate::rule`] checks what the specification requires beyond syntax.

mod prepare;
mod recovery;
mod syntax_error;

use cynic_parser::TypeSystemDocument;
use cynic_parser::common::OperationType;
use cynic_parser::type_system as ast;
use cynic_parser::type_system::{Definition, TypeDefinition};

use crate::ast::type_reference;
use crate::diagnostic::{Diagnostic, Report};
use crate::extension::{self, Merged};
use crate::model::{Directive, EnumValue, Field, Input, Kind, Roots, Schema, Type};
use crate::rule::{self, Rules};
use crate::string_value;
pub use prepare::DEPTH_MAX;
pub(crate) use syntax_error::starts_definition;

/// The default reason of a deprecation (specification, section 3.13.3).
pub const NO_REASON: &str = "No longer supported";

impl Schema {
    /// Reads and checks the SDL of one version.
    pub fn parse(version: &str, source: &str) -> Result<Schema, Report> {
        Self::parse_with(version, &format!("schema/{version}.graphql"), source, Rules::GraphQl)
    }

    /// Reads and checks the SDL of one version by `rules`; `path` is the name of the file in reports.
    pub fn parse_with(version: &str, path: &str, source: &str, rules: Rules<'_>) -> Result<Schema, Report> {
        parse(version, path, source, rules).map(|parsed| parsed.schema)
    }
}

/// A schema, and the syntax tree that it was read from.
pub(crate) struct Parsed {
    pub schema: Schema,
    pub document: TypeSystemDocument,
    /// The text of the tree, if the file has extensions.
    pub merged: Option<Merged>,
}

/// Reads and checks `source`.
pub(crate) fn parse(version: &str, path: &str, source: &str, rules: Rules<'_>) -> Result<Parsed, Report> {
    let report = |errors| Report::new(path, source, errors);
    let read = document(source).map_err(report)?;
    let merged = extension::merge(&read, source).map_err(report)?;
    let text = merged.as_ref().map_or(source, |merged| &merged.text);
    let in_source = |errors: Vec<Diagnostic>| match &merged {
        Some(merged) => report(errors.into_iter().map(|error| error.moved(|span| merged.original(span))).collect()),
        None => report(errors),
    };
    let document = if merged.is_some() { document(text).map_err(in_source)? } else { read };
    let errors = rule::check(&document, text, rules);
    if !errors.is_empty() {
        return Err(in_source(errors));
    }
    let schema = schema(&document, version, text);
    Ok(Parsed { schema, document, merged })
}

/// Returns the syntax errors of a file; its types may be wrong.
pub fn check_syntax(path: &str, source: &str) -> Result<(), Report> {
    document(source).map(drop).map_err(|errors| Report::new(path, source, errors))
}

/// Reads the syntax of `source`. Strings in the tree have no contents: [`string_value::decode`] reads them from `source`.
pub(crate) fn document(source: &str) -> Result<TypeSystemDocument, Vec<Diagnostic>> {
    let prepared = prepare::prepare(source).map_err(|error| vec![*error])?;
    cynic_parser::parse_type_system_document(&prepared).map_err(|error| {
        let errors = recovery::errors(&prepared, source);
        if errors.is_empty() { vec![syntax_error::diagnostic(&error, source)] } else { errors }
    })
}

/// Converts a document that passed every rule.
fn schema(document: &TypeSystemDocument, version: &str, source: &str) -> Schema {
    let mut types = vec![];
    let mut directives = vec![];
    let mut roots = Roots { description: None, query: "Query".to_owned(), mutation: None, subscription: None };
    let mut explicit = false;
    for definition in document.definitions() {
        match definition {
            Definition::Schema(block) => {
                explicit = true;
                roots.description = text(block.description(), source);
                for root in block.root_operations() {
                    match root.operation_type() {
                        OperationType::Query => roots.query = root.named_type().to_owned(),
                        OperationType::Mutation => roots.mutation = Some(root.named_type().to_owned()),
                        OperationType::Subscription => roots.subscription = Some(root.named_type().to_owned()),
                    }
                }
            }
            Definition::Type(ty) => types.push(type_of(ty, source)),
            Definition::Directive(directive) => directives.push(directive_of(directive, source)),
            Definition::SchemaExtension(_) | Definition::TypeExtension(_) => {} // merged
        }
    }
    if !explicit {
        let named = |name: &str| types.iter().any(|ty| ty.name == name).then(|| name.to_owned());
        (roots.mutation, roots.subscription) = (named("Mutation"), named("Subscription"));
    }
    Schema::new(version.to_owned(), roots, types, directives)
}

fn type_of(ty: TypeDefinition<'_>, source: &str) -> Type {
    let kind = match ty {
        TypeDefinition::Scalar(t) => {
            Kind::Scalar { specified_by: argument(t.directives(), "specifiedBy", "url", source) }
        }
        TypeDefinition::Object(t) => Kind::Object {
            implements: t.implements_interfaces().map(str::to_owned).collect(),
            fields: t.fields().map(|f| field(f, source)).collect(),
        },
        TypeDefinition::Interface(t) => Kind::Interface {
            implements: t.implements_interfaces().map(str::to_owned).collect(),
            fields: t.fields().map(|f| field(f, source)).collect(),
        },
        TypeDefinition::Union(t) => Kind::Union { members: t.members().map(|m| m.name().to_owned()).collect() },
        TypeDefinition::Enum(t) => Kind::Enum { values: t.values().map(|value| enum_value(value, source)).collect() },
        TypeDefinition::InputObject(t) => {
            Kind::Input { one_of: t.is_one_of(), fields: t.fields().map(|f| input(f, source)).collect() }
        }
    };
    Type { name: ty.name().to_owned(), description: text(ty.description(), source), kind }
}

fn field(field: ast::FieldDefinition<'_>, source: &str) -> Field {
    Field {
        name: field.name().to_owned(),
        description: text(field.description(), source),
        args: field.arguments().map(|a| input(a, source)).collect(),
        ty: type_reference(field.ty()),
        deprecated: deprecated(field.directives(), source),
    }
}

fn input(input: ast::InputValueDefinition<'_>, source: &str) -> Input {
    Input {
        name: input.name().to_owned(),
        description: text(input.description(), source),
        ty: type_reference(input.ty()),
        default: input.default_value().map(|value| source[value.span().start..value.span().end].to_owned()),
        deprecated: deprecated(input.directives(), source),
    }
}

fn enum_value(value: ast::EnumValueDefinition<'_>, source: &str) -> EnumValue {
    EnumValue {
        name: value.value().to_owned(),
        description: text(value.description(), source),
        deprecated: deprecated(value.directives(), source),
    }
}

fn directive_of(directive: ast::DirectiveDefinition<'_>, source: &str) -> Directive {
    Directive {
        name: directive.name().to_owned(),
        description: text(directive.description(), source),
        args: directive.arguments().map(|a| input(a, source)).collect(),
        locations: directive.locations().map(|location| location.as_str()).collect(),
        repeatable: directive.is_repeatable(),
    }
}

fn text(description: Option<ast::Description<'_>>, source: &str) -> Option<String> {
    description.map(|description| literal(description.span(), source))
}

fn literal(span: cynic_parser::Span, source: &str) -> String {
    string_value::decode(&source[span.start..span.end])
}

fn deprecated<'a>(directives: impl Iterator<Item = ast::Directive<'a>>, source: &str) -> Option<String> {
    let mut directives = directives;
    let directive = directives.find(|d| d.name() == "deprecated")?;
    Some(string(directive, "reason", source).unwrap_or_else(|| NO_REASON.to_owned()))
}

/// Returns the text of an argument of a directive.
fn argument<'a>(
    directives: impl Iterator<Item = ast::Directive<'a>>,
    directive: &str,
    name: &str,
    source: &str,
) -> Option<String> {
    let mut directives = directives;
    string(directives.find(|d| d.name() == directive)?, name, source)
}

fn string(directive: ast::Directive<'_>, name: &str, source: &str) -> Option<String> {
    let value = directive.argument(name)?.value();
    value.is_string().then(|| literal(value.span(), source))
}
