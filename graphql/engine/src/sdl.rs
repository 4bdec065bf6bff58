//! Reads the SDL of a version, with its extensions (GraphQL specification, section 3). The build has checked it, so no rule is
//! checked here.

use std::borrow::Cow;
use std::sync::OnceLock;

use dated_graphql_schema::parse::NO_REASON;
use dated_graphql_syntax::{self as syntax, Description, OperationKind, SyntaxError, TypeKind};

use super::ast::{Directive, Literal};
use super::definition::{
    DirectiveDefinition, EnumValue, FieldDefinition, InputDefault, InputDefinition, InputObject, Kind, Type, TypeRef,
};

/// What the SDL of a version defines, in document order.
pub(super) struct Sdl {
    /// The description of the schema itself.
    pub description: Option<Description<'static>>,
    /// The name of the query root.
    pub query: &'static str,
    /// The name of the mutation root; without a schema definition there may be no such type.
    pub mutation: Option<&'static str>,
    pub types: Vec<Type>,
    pub directives: Vec<DirectiveDefinition>,
}

/// Reads SDL.
pub(super) fn read(text: &'static str) -> Result<Sdl, Vec<SyntaxError>> {
    let mut document = syntax::parse_type_system(text)?;
    document.merge_extensions();
    let schema = document.schemas.into_iter().next();
    let root = |kind, default| match &schema {
        Some(schema) => schema.roots.iter().find(|root| root.kind == kind).map(|root| root.ty.text),
        None => Some(default),
    };
    Ok(Sdl {
        query: root(OperationKind::Query, "Query").unwrap_or("Query"),
        mutation: root(OperationKind::Mutation, "Mutation"),
        description: schema.and_then(|schema| schema.description),
        types: document.types.into_iter().map(type_of).collect(),
        directives: document.directives.into_iter().map(directive).collect(),
    })
}

fn type_of(ty: syntax::TypeDefinition<'static>) -> Type {
    let implements = ty.implements.iter().map(|name| name.text).collect();
    let kind = match ty.kind {
        TypeKind::Scalar => Kind::Scalar { specified_by: string_argument(&ty.directives, "specifiedBy", "url") },
        TypeKind::Object => Kind::Object { implements, fields: all(ty.fields, field).into() },
        TypeKind::Interface => Kind::Interface { implements, fields: all(ty.fields, field).into() },
        TypeKind::Union => Kind::Union { members: ty.members.iter().map(|name| name.text).collect() },
        TypeKind::Enum => Kind::Enum { values: all(ty.values, enum_value) },
        TypeKind::Input => Kind::Input(InputObject { one_of: ty.is_one_of(), fields: all(ty.inputs, input) }),
    };
    Type::new(ty.name.text, ty.description, kind)
}

fn field(field: syntax::FieldDefinition<'static>) -> FieldDefinition {
    let own = FieldDefinition::new(field.name.text, all(field.arguments, input), type_ref(field.ty));
    FieldDefinition { description: field.description, deprecated: deprecated(&field.directives), ..own }
}

fn input(input: syntax::InputValueDefinition<'static>) -> InputDefinition {
    InputDefinition {
        name: input.name.text,
        description: input.description,
        ty: type_ref(input.ty),
        default: input.default.map(|value| Box::new(InputDefault { literal: value.literal, value: OnceLock::new() })),
        deprecated: deprecated(&input.directives),
        coordinate: None,
    }
}

fn enum_value(value: syntax::EnumValueDefinition<'static>) -> EnumValue {
    let deprecated = deprecated(&value.directives);
    EnumValue { name: value.name.text, description: value.description, deprecated, coordinate: None }
}

fn directive(directive: syntax::DirectiveDefinition<'static>) -> DirectiveDefinition {
    DirectiveDefinition {
        name: directive.name.text,
        description: directive.description,
        arguments: all(directive.arguments, input),
        repeatable: directive.repeatable,
        locations: directive.locations,
    }
}

fn type_ref(ty: syntax::Type<'static>) -> TypeRef {
    TypeRef { wrap: ty.wrap.into(), name: ty.name.text }
}

fn all<T, U>(items: Vec<T>, read: fn(T) -> U) -> Box<[U]> {
    items.into_iter().map(read).collect()
}

fn deprecated(directives: &[Directive<'static>]) -> Option<Cow<'static, str>> {
    let is_deprecated = directives.iter().any(|directive| directive.name.text == "deprecated");
    is_deprecated.then(|| string_argument(directives, "deprecated", "reason").unwrap_or(NO_REASON.into()))
}

/// Returns the string that a directive has as an argument.
fn string_argument(directives: &[Directive<'static>], directive: &str, name: &str) -> Option<Cow<'static, str>> {
    match directives.iter().find(|used| used.name.text == directive)?.argument(name)? {
        Literal::String(text) => Some(text.clone()),
        _ => None,
    }
}
