//! Each argument of a field or directive stands there once (specification, section 3.6.1).

use super::document::{Document, duplicates};
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for group in document.input_groups().into_iter().filter(|group| group.argument) {
        let names = group.inputs.iter().map(|input| (input.name(), input.name_span().into()));
        duplicates(names, |name| format!("argument `{name}` is in `{}` twice", group.owner), found);
    }
}
