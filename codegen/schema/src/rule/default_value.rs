//! A default is a value of its type (specification, sections 3.6.1 and 3.10).

use super::document::Document;
use super::value;
use crate::ast::type_reference;
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for place in document.inputs() {
        if let Some(default) = place.input.default_value() {
            value::check(document, &type_reference(place.input.ty()), default, "this default", found);
        }
    }
}
