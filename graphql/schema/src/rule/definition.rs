//! Rules for definitions: what is defined has a name of its own, which is not reserved, and is not empty.

use dated_graphql_syntax::{Name, TypeKind};

use super::document::{BUILT_IN, Document, duplicate_spans, duplicates};
use crate::diagnostic::{Diagnostic, Span};

/// Each type and each directive is defined once (GraphQL specification, section 3.3).
pub(super) fn duplicate_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    duplicates(document.types.iter().map(|ty| &ty.name), |name| format!("type `{name}` is defined twice"), found);
    let directives = document.directives.iter().map(|directive| (directive.name.text, directive.span));
    duplicate_spans(directives, |name| format!("directive `@{name}` is defined twice"), found);
    let schemas = document.schemas.iter().map(|schema| ("schema", schema.span));
    duplicate_spans(schemas, |_| "there are two `schema` blocks".to_owned(), found);
}

/// A built-in scalar is not defined again.
pub(super) fn built_in_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types.iter().filter(|ty| BUILT_IN.contains(&ty.name.text)) {
        let message = format!("`{}` is built in", ty.name.text);
        found.push(Diagnostic::new(ty.name.span, message, "cannot be defined").help("choose another name".to_owned()));
    }
}

/// Each field of a type and each name of a list is given once (GraphQL specification, sections 3.6 to 3.10).
pub(super) fn duplicate_field(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types {
        let parent = ty.name.text;
        let fields = ty.fields.iter().map(|field| &field.name).chain(ty.inputs.iter().map(|field| &field.name));
        duplicates(fields, |name| format!("field `{name}` is in `{parent}` twice"), found);
        duplicates(&ty.members, |name| format!("`{name}` is in `{parent}` twice"), found);
        duplicates(&ty.implements, |name| format!("`{parent}` implements `{name}` twice"), found);
    }
}

/// Each argument of a field or directive is defined once (GraphQL specification, section 3.6.1).
pub(super) fn duplicate_argument(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for group in document.input_groups().filter(|group| group.argument) {
        let names = group.inputs.iter().map(|input| &input.name);
        duplicates(names, |name| format!("argument `{name}` is in `{}` twice", group.owner), found);
    }
}

/// Each value of an enum is defined once (GraphQL specification, section 3.9).
pub(super) fn duplicate_value(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types {
        let names = ty.values.iter().map(|value| &value.name);
        duplicates(names, |name| format!("value `{name}` is in `{}` twice", ty.name.text), found);
    }
}

/// A type has at least one field, value or member (GraphQL specification, sections 3.6 to 3.10).
pub(super) fn empty_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types {
        let (empty, what) = match ty.kind {
            TypeKind::Scalar => (false, ""),
            TypeKind::Object | TypeKind::Interface => (ty.fields.is_empty(), "field"),
            TypeKind::Union => (ty.members.is_empty(), "member"),
            TypeKind::Enum => (ty.values.is_empty(), "value"),
            TypeKind::Input => (ty.inputs.is_empty(), "field"),
        };
        if empty {
            let name = ty.name.text;
            let message = format!("`{name}` has no {what}s");
            let help = match ty.kind {
                TypeKind::Union => format!("write `union {name} = A | B`"),
                TypeKind::Enum => format!("write `enum {name} {{ A B }}`"),
                TypeKind::Interface => format!("write `interface {name} {{ id: ID! }}`"),
                TypeKind::Input => format!("write `input {name} {{ id: ID! }}`"),
                TypeKind::Object | TypeKind::Scalar => format!("write `type {name} {{ id: ID! }}`"),
            };
            found.push(Diagnostic::new(ty.name.span, message, format!("add at least one {what}")).help(help));
        }
    }
}

/// Names that begin with `__` are reserved for introspection (GraphQL specification, section 2.1.7).
pub(super) fn reserved_name(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let mut names: Vec<(&Name<'_>, Span)> = vec![];
    for ty in document.types {
        let fields = ty.fields.iter().map(|field| &field.name);
        let inside = fields.chain(ty.values.iter().map(|value| &value.name));
        names.extend([&ty.name].into_iter().chain(inside).map(|name| (name, name.span)));
    }
    names.extend(document.inputs().map(|located| (&located.input.name, located.input.name.span)));
    names.extend(document.directives.iter().map(|directive| (&directive.name, directive.span)));
    for (Name { text: name, .. }, span) in names.into_iter().filter(|(name, _)| name.text.starts_with("__")) {
        let message = format!("`{name}`: names that begin with `__` are reserved for introspection");
        let help = format!("call it `{}`", name.trim_start_matches('_'));
        found.push(Diagnostic::new(span, message, "reserved").help(help));
    }
}
