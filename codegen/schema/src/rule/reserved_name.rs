//! Names that begin with `__` are introspection's (specification, section 2.1.7).

use cynic_parser::type_system::TypeDefinition;

use super::document::{Document, fields, name_span};
use crate::diagnostic::{Diagnostic, Span};

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let mut names: Vec<(&str, Span)> = vec![];
    for ty in document.types() {
        names.push((ty.name(), name_span(ty)));
        names.extend(fields(ty).into_iter().map(|field| (field.name(), field.name_span().into())));
        if let TypeDefinition::Enum(definition) = ty {
            names.extend(definition.values().map(|value| (value.value(), value.value_span().into())));
        }
    }
    names.extend(document.inputs().map(|place| (place.input.name(), place.input.name_span().into())));
    names.extend(document.directives().map(|directive| (directive.name(), directive.name_span().into())));
    for (name, span) in names.into_iter().filter(|(name, _)| name.starts_with("__")) {
        let message = format!("`{name}`: names that begin with `__` are reserved for introspection");
        let help = format!("call it `{}`", name.trim_start_matches('_'));
        found.push(Diagnostic::new(span, message, "reserved").help(help));
    }
}
