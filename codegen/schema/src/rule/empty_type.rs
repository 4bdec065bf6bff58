//! A type has at least one field, value or member (specification, sections 3.6 to 3.10).

use super::document::{Document, TypeKind, fields, kind, name_span};
use crate::diagnostic::Diagnostic;
use cynic_parser::type_system::TypeDefinition;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
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
