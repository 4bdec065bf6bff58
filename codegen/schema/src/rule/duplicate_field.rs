//! Each field of a type and each member of a list of names stands there once (specification, sections 3.6 to 3.10).

use cynic_parser::type_system::TypeDefinition;

use super::document::{Document, duplicates, fields};
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
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
