//! Every type that is named is defined in the document (specification, section 3.3).

use cynic_parser::type_system::{Definition, TypeDefinition};

use super::document::{Document, fields};
use crate::diagnostic::{Diagnostic, Span};

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let mut named: Vec<(&str, Span)> = vec![];
    for definition in document.definitions() {
        match definition {
            Definition::Schema(schema) => {
                named.extend(schema.root_operations().map(|root| (root.named_type(), root.named_type_span().into())));
            }
            Definition::Type(ty) => {
                named.extend(document.implements(ty));
                named.extend(fields(ty).into_iter().map(|field| (field.ty().name(), field.ty().name_span().into())));
                if let TypeDefinition::Union(union) = ty {
                    named.extend(union.members().map(|member| (member.name(), member.span().into())));
                }
            }
            _ => {}
        }
    }
    named.extend(document.inputs().map(|place| (place.input.ty().name(), place.input.ty().name_span().into())));
    for (name, span) in named.into_iter().filter(|(name, _)| document.kind(name).is_none()) {
        let diagnostic = Diagnostic::new(span, format!("there is no type `{name}`"), "not in this file");
        found.push(diagnostic.did_you_mean(document.nearest_type(name)));
    }
}
