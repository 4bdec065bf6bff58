//! Parts of the parser's syntax tree that have the same form in several definitions.
//!
//! Used by the rules, the parser of the model and the index of spans.

use cynic_parser::common::WrappingType;
use cynic_parser::type_system::{FieldDefinition, Type, TypeDefinition};

use crate::diagnostic::Span;
use crate::model::{Ty, Wrap};

/// Returns the span of the name in the definition of a type.
pub fn name_span(ty: TypeDefinition<'_>) -> Span {
    match ty {
        TypeDefinition::Scalar(t) => t.name_span(),
        TypeDefinition::Object(t) => t.name_span(),
        TypeDefinition::Interface(t) => t.name_span(),
        TypeDefinition::Union(t) => t.name_span(),
        TypeDefinition::Enum(t) => t.name_span(),
        TypeDefinition::InputObject(t) => t.name_span(),
    }
    .into()
}

/// Returns the fields of an object or interface; none for other kinds.
pub fn fields(ty: TypeDefinition<'_>) -> Vec<FieldDefinition<'_>> {
    match ty {
        TypeDefinition::Object(t) => t.fields().collect(),
        TypeDefinition::Interface(t) => t.fields().collect(),
        _ => vec![],
    }
}

/// Converts a reference to a type into the form of the model.
pub(crate) fn type_reference(ty: Type<'_>) -> Ty {
    let wrap = ty.wrappers().map(|wrapper| match wrapper {
        WrappingType::NonNull => Wrap::NonNull,
        WrappingType::List => Wrap::List,
    });
    Ty { wrap: wrap.collect(), name: ty.name().to_owned() }
}

/// Returns the interfaces that a type implements, with the span of each name. The parser does not keep these spans.
pub(crate) fn implements<'a>(ty: TypeDefinition<'a>, source: &str) -> Vec<(&'a str, Span)> {
    let names: Vec<&str> = match ty {
        TypeDefinition::Object(object) => object.implements_interfaces().collect(),
        TypeDefinition::Interface(interface) => interface.implements_interfaces().collect(),
        _ => vec![],
    };
    let mut from = name_span(ty).end;
    let found = names.into_iter().map(|name| {
        let span = find_name(source, name, from).unwrap_or_else(|| name_span(ty));
        from = span.end;
        (name, span)
    });
    found.collect()
}

/// Returns the span of the first whole word `name` at or after the byte `from`, outside comments.
fn find_name(source: &str, name: &str, from: usize) -> Option<Span> {
    let mut at = from;
    for line in source.get(from..)?.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let hit = code.match_indices(name).find(|(start, _)| {
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            !code[..*start].ends_with(part) && !code[start + name.len()..].starts_with(part)
        });
        if let Some((start, _)) = hit {
            return Some(Span { start: at + start, end: at + start + name.len() });
        }
        at += line.len();
    }
    None
}
