//! Every field of a `@oneOf` input may be left out and has no default (specification, section 3.10.1).

use cynic_parser::type_system::TypeDefinition;

use super::document::Document;
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types() {
        let TypeDefinition::InputObject(input) = ty else { continue };
        for field in input.fields().filter(|_| input.is_one_of()) {
            let path = format!("{}.{}", input.name(), field.name());
            if field.ty().is_non_null() {
                let message = format!("`{path}` must be nullable, because `{}` takes one of its fields", input.name());
                let help = format!("write `{}`", field.ty().to_string().trim_end_matches('!'));
                found.push(Diagnostic::new(field.ty().span(), message, "not nullable").help(help));
            }
            if let Some(default) = field.default_value() {
                let message =
                    format!("`{path}` cannot have a default, because `{}` takes one of its fields", input.name());
                found.push(Diagnostic::new(default.span(), message, "a default"));
            }
        }
    }
}
