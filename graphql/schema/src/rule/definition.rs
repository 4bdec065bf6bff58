//! Rules for definitions: what is defined has a name of its own, which is not reserved, and is not empty.

use cynic_parser::type_system::{Definition, TypeDefinition};

use super::document::{BUILT_IN, Document, TypeKind, duplicates, fields, kind, name_span};
use crate::diagnostic::{Diagnostic, Span};

/// Each type and each directive is defined once (GraphQL specification, section 3.3).
pub(super) fn duplicate_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let types = document.types().map(|ty| (ty.name(), name_span(ty)));
    duplicates(types, |name| format!("type `{name}` is defined twice"), found);
    let directives = document.directives().map(|directive| (directive.name(), directive.name_span().into()));
    duplicates(directives, |name| format!("directive `@{name}` is defined twice"), found);
    let schemas = document.definitions().filter_map(|definition| match definition {
        Definition::Schema(schema) => Some(("schema", schema.span().into())),
        _ => None,
    });
    duplicates(schemas, |_| "there are two `schema` blocks".to_owned(), found);
}

/// A built-in scalar is not defined again.
pub(super) fn built_in_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types().filter(|ty| BUILT_IN.contains(&ty.name())) {
        let message = format!("`{}` is built in", ty.name());
        found.push(Diagnostic::new(name_span(ty), message, "cannot be defined").help("choose another name".to_owned()));
    }
}

/// Each field of a type and each name of a list is given once (GraphQL specification, sections 3.6 to 3.10).
pub(super) fn duplicate_field(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types() {
        let parent = ty.name();
        let names = fields(ty).into_iter().map(|field| (field.name(), field.name_span().into()));
        duplicates(names, |name| format!("field `{name}` is in `{parent}` twice"), found);
        match ty {
            TypeDefinition::InputObject(input) => {
                let names = input.fields().map(|field| (field.name(), field.name_span().into()));
                duplicates(names, |name| format!("field `{name}` is in `{parent}` twice"), found);
            }
            TypeDefinition::Union(union) => {
                let names = union.members().map(|member| (member.name(), member.span().into()));
                duplicates(names, |name| format!("`{name}` is in `{parent}` twice"), found);
            }
            _ => duplicates(document.implements(ty), |name| format!("`{parent}` implements `{name}` twice"), found),
        }
    }
}

/// Each argument of a field or directive is defined once (GraphQL specification, section 3.6.1).
pub(super) fn duplicate_argument(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for group in document.input_groups().into_iter().filter(|group| group.argument) {
        let names = group.inputs.iter().map(|input| (input.name(), input.name_span().into()));
        duplicates(names, |name| format!("argument `{name}` is in `{}` twice", group.owner), found);
    }
}

/// Each value of an enum is defined once (GraphQL specification, section 3.9).
pub(super) fn duplicate_value(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types() {
        if let TypeDefinition::Enum(definition) = ty {
            let names = definition.values().map(|value| (value.value(), value.value_span().into()));
            duplicates(names, |name| format!("value `{name}` is in `{}` twice", ty.name()), found);
        }
    }
}

/// A type has at least one field, value or member (GraphQL specification, sections 3.6 to 3.10).
pub(super) fn empty_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types() {
        let (empty, what) = match ty {
            TypeDefinition::Scalar(_) => (false, ""),
            TypeDefinition::Object(_) | TypeDefinition::Interface(_) => (fields(ty).is_empty(), "field"),
            TypeDefinition::Union(union) => (union.members().next().is_none(), "member"),
            TypeDefinition::Enum(definition) => (definition.values().next().is_none(), "value"),
            TypeDefinition::InputObject(input) => (input.fields().next().is_none(), "field"),
        };
        if empty {
            let message = format!("`{}` has no {what}s", ty.name());
            let name = ty.name();
            let help = match kind(ty) {
                TypeKind::Union => format!("write `union {name} = A | B`"),
                TypeKind::Enum => format!("write `enum {name} {{ A B }}`"),
                TypeKind::Interface => format!("write `interface {name} {{ id: ID! }}`"),
                TypeKind::Input => format!("write `input {name} {{ id: ID! }}`"),
                TypeKind::Object | TypeKind::Scalar => format!("write `type {name} {{ id: ID! }}`"),
            };
            found.push(Diagnostic::new(name_span(ty), message, format!("add at least one {what}")).help(help));
        }
    }
}

/// Names that begin with `__` are reserved for introspection (GraphQL specification, section 2.1.7).
pub(super) fn reserved_name(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let mut names: Vec<(&str, Span)> = vec![];
    for ty in document.types() {
        names.push((ty.name(), name_span(ty)));
        names.extend(fields(ty).into_iter().map(|field| (field.name(), field.name_span().into())));
        if let TypeDefinition::Enum(definition) = ty {
            names.extend(definition.values().map(|value| (value.value(), value.value_span().into())));
        }
    }
    names.extend(document.inputs().map(|located| (located.input.name(), located.input.name_span().into())));
    names.extend(document.directives().map(|directive| (directive.name(), directive.name_span().into())));
    for (name, span) in names.into_iter().filter(|(name, _)| name.starts_with("__")) {
        let message = format!("`{name}`: names that begin with `__` are reserved for introspection");
        let help = format!("call it `{}`", name.trim_start_matches('_'));
        found.push(Diagnostic::new(span, message, "reserved").help(help));
    }
}
