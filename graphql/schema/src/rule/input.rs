//! Rules for arguments and the fields of inputs.

use cynic_parser::type_system::{InputValueDefinition, TypeDefinition};

use super::document::Document;
use super::value;
use crate::ast::type_reference;
use crate::diagnostic::Diagnostic;

/// A default is a value of its type (GraphQL specification, sections 3.6.1 and 3.10).
pub(super) fn default_value(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for located in document.inputs() {
        if let Some(default) = located.input.default_value() {
            value::check(document, &type_reference(located.input.ty()), default, "this default", found);
        }
    }
}

/// A required argument or input field cannot be deprecated (GraphQL specification, section 3.13.3).
pub(super) fn deprecation(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for located in document.inputs() {
        let required = located.input.ty().is_non_null() && located.input.default_value().is_none();
        if let Some(deprecated) =
            located.input.directives().find(|directive| directive.name() == "deprecated" && required)
        {
            let message = format!("`{}` is required, so it cannot be deprecated", located.path);
            let diagnostic = Diagnostic::new(deprecated.name_span(), message, "deprecated here");
            let help = "make it nullable, or give it a default, in an earlier version".to_owned();
            found.push(diagnostic.related(located.input.ty().span(), "required here").help(help));
        }
    }
}

/// An input does not require itself: no finite value would satisfy it (GraphQL specification, section 3.10).
pub(super) fn input_cycle(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
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

/// Returns the required fields of an input that are not lists.
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

/// Every field of a `@oneOf` input is optional and has no default (GraphQL specification, section 3.10.1).
pub(super) fn one_of(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
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
