//! Reads the SDL of one version into a [`Schema`], or reports every error in it.
//!
//! [`dated_graphql_syntax`] parses it; [`crate::rule`] checks what the specification requires beyond syntax.

use dated_graphql_syntax as syntax;
use dated_graphql_syntax::{Description, Literal, OperationKind, TypeKind, TypeSystemDocument};

use crate::diagnostic::{Diagnostic, Report, not_utf8};
use crate::model::{Directive, EnumValue, Field, Input, Kind, Roots, Schema, Type};
use crate::rule::{self, Rules};
use crate::syntax_error;
use crate::walk;

/// The default reason of a deprecation (specification, section 3.13.3).
pub const NO_REASON: &str = "No longer supported";

impl Schema {
    /// Reads and checks the SDL of one version.
    pub fn parse(version: &str, source: &str) -> Result<Schema, Report> {
        Self::parse_with(version, &format!("schema/{version}.graphql"), source, Rules::GraphQl)
    }

    /// Reads and checks the SDL of one version by `rules`; `path` is the name of the file in reports.
    pub fn parse_with(version: &str, path: &str, source: &str, rules: Rules) -> Result<Schema, Report> {
        parse(version, path, source, rules).map(|parsed| parsed.schema)
    }
}

/// A schema, and the syntax tree that it was read from.
pub(crate) struct Parsed<'a> {
    pub schema: Schema,
    pub document: TypeSystemDocument<'a>,
}

/// Reads and checks `source`.
pub(crate) fn parse<'a>(version: &str, path: &str, source: &'a str, rules: Rules) -> Result<Parsed<'a>, Report> {
    let report = |errors| Report::new(path, source, errors);
    let mut document = document(source).map_err(report)?;
    let mut errors = vec![];
    rule::known_extension(&document, &mut errors);
    document.merge_extensions();
    errors.extend(rule::check(&document, source, rules));
    if !errors.is_empty() {
        return Err(report(errors));
    }
    let schema = schema(&document, version, source);
    let schema = if matches!(rules, Rules::Foreign) { schema } else { walk::without_subscriptions(schema) };
    Ok(Parsed { schema, document })
}

/// Returns the syntax errors of a file; its types may be wrong.
pub fn check_syntax(path: &str, source: &str) -> Result<(), Report> {
    document(source).map(drop).map_err(|errors| Report::new(path, source, errors))
}

/// Parses `source`.
pub(crate) fn document(source: &str) -> Result<TypeSystemDocument<'_>, Vec<Diagnostic>> {
    if let Some(error) = not_utf8(source) {
        return Err(vec![error]);
    }
    let diagnostic = |error| syntax_error::diagnostic(&error, source);
    syntax::parse_type_system(source).map_err(|errors| errors.into_iter().map(diagnostic).collect())
}

/// Converts a document that passed every rule.
fn schema(document: &TypeSystemDocument<'_>, version: &str, source: &str) -> Schema {
    let types: Vec<Type> = document.types.iter().map(|ty| type_of(ty, source)).collect();
    let schema = document.schemas.first();
    let root = |kind, default: &str| match schema {
        Some(schema) => schema.roots.iter().find(|root| root.kind == kind).map(|root| root.ty.text.to_owned()),
        None => types.iter().any(|ty| ty.name == default).then(|| default.to_owned()),
    };
    let roots = Roots {
        description: schema.and_then(|schema| text(schema.description)),
        query: root(OperationKind::Query, "Query").unwrap_or_else(|| "Query".to_owned()),
        mutation: root(OperationKind::Mutation, "Mutation"),
        subscription: root(OperationKind::Subscription, "Subscription"),
    };
    let directives = document.directives.iter().map(|directive| directive_of(directive, source)).collect();
    Schema::new(version.to_owned(), roots, types, directives)
}

fn type_of(ty: &syntax::TypeDefinition<'_>, source: &str) -> Type {
    let names = |names: &[syntax::Name<'_>]| names.iter().map(|name| name.text.to_owned()).collect();
    let kind = match ty.kind {
        TypeKind::Scalar => Kind::Scalar { specified_by: string(&ty.directives, "specifiedBy", "url") },
        TypeKind::Object => Kind::Object {
            implements: names(&ty.implements),
            fields: ty.fields.iter().map(|f| field(f, source)).collect(),
        },
        TypeKind::Interface => Kind::Interface {
            implements: names(&ty.implements),
            fields: ty.fields.iter().map(|f| field(f, source)).collect(),
        },
        TypeKind::Union => Kind::Union { members: names(&ty.members) },
        TypeKind::Enum => Kind::Enum { values: ty.values.iter().map(enum_value).collect() },
        TypeKind::Input => Kind::Input { one_of: ty.is_one_of(), fields: inputs(&ty.inputs, source) },
    };
    Type { name: ty.name.text.to_owned(), description: text(ty.description), kind }
}

fn field(field: &syntax::FieldDefinition<'_>, source: &str) -> Field {
    Field {
        name: field.name.text.to_owned(),
        description: text(field.description),
        args: inputs(&field.arguments, source),
        ty: (&field.ty).into(),
        deprecated: deprecated(&field.directives),
    }
}

fn inputs(inputs: &[syntax::InputValueDefinition<'_>], source: &str) -> Box<[Input]> {
    let inputs = inputs.iter().map(|input| Input {
        name: input.name.text.to_owned(),
        description: text(input.description),
        ty: (&input.ty).into(),
        default: input.default.as_ref().map(|value| source[value.span.start..value.span.end].to_owned()),
        deprecated: deprecated(&input.directives),
    });
    inputs.collect()
}

fn enum_value(value: &syntax::EnumValueDefinition<'_>) -> EnumValue {
    EnumValue {
        name: value.name.text.to_owned(),
        description: text(value.description),
        deprecated: deprecated(&value.directives),
    }
}

fn directive_of(directive: &syntax::DirectiveDefinition<'_>, source: &str) -> Directive {
    Directive {
        name: directive.name.text.to_owned(),
        description: text(directive.description),
        args: inputs(&directive.arguments, source),
        locations: directive.locations.clone(),
        repeatable: directive.repeatable,
    }
}

fn text(description: Option<Description<'_>>) -> Option<String> {
    description.map(|description| description.text().into_owned())
}

fn deprecated(directives: &[syntax::Directive<'_>]) -> Option<String> {
    let is_deprecated = directives.iter().any(|directive| directive.name.text == "deprecated");
    is_deprecated.then(|| string(directives, "deprecated", "reason").unwrap_or_else(|| NO_REASON.to_owned()))
}

/// Returns the string that a directive has as an argument.
fn string(directives: &[syntax::Directive<'_>], directive: &str, name: &str) -> Option<String> {
    match directives.iter().find(|used| used.name.text == directive)?.argument(name)? {
        Literal::String(text) => Some(text.clone().into_owned()),
        _ => None,
    }
}
