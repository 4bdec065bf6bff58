//! Each value of an enum stands there once (specification, section 3.9).

use cynic_parser::type_system::TypeDefinition;

use super::document::{Document, duplicates};
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types() {
        if let TypeDefinition::Enum(definition) = ty {
            let names = definition.values().map(|value| (value.value(), value.value_span().into()));
            duplicates(names, |name| format!("value `{name}` is in `{}` twice", ty.name()), found);
        }
    }
}
