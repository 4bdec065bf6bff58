//! An input does not require itself: no finite value would satisfy it (specification, section 3.10).

use cynic_parser::type_system::{InputValueDefinition, TypeDefinition};

use super::document::Document;
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types() {
        for field in required(ty) {
            if leads_to(document, field.ty().name(), ty.name(), &mut vec![]) {
                let message = format!("`{}` requires itself, so it has no value", ty.name());
                let diagnostic = Diagnostic::new(field.ty().span(), message, "leads back to it without a way out");
                found.push(diagnostic.help(format!("make `{}` nullable, or a list", field.name())));
            }
        }
    }
}

/// The fields of an input that must be sent and are no list.
fn required(ty: TypeDefinition<'_>) -> Vec<InputValueDefinition<'_>> {
    match ty {
        TypeDefinition::InputObject(input) => {
            input.fields().filter(|field| field.ty().is_non_null() && !field.ty().is_list()).collect()
        }
        _ => vec![],
    }
}

fn leads_to<'a>(document: &Document<'a>, from: &'a str, to: &str, seen: &mut Vec<&'a str>) -> bool {
    if from == to {
        return true;
    }
    if seen.contains(&from) {
        return false;
    }
    seen.push(from);
    let below = document.get(from).map(required).unwrap_or_default();
    below.into_iter().any(|field| leads_to(document, field.ty().name(), to, seen))
}
