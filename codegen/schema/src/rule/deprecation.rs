//! What a caller must send cannot be deprecated (specification, section 3.13.3).

use super::document::Document;
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for place in document.inputs() {
        let required = place.input.ty().is_non_null() && place.input.default_value().is_none();
        if let Some(deprecated) =
            place.input.directives().find(|directive| directive.name() == "deprecated" && required)
        {
            let message = format!("`{}` is required, so it cannot be deprecated", place.path);
            let diagnostic = Diagnostic::new(deprecated.name_span(), message, "deprecated here");
            let help = "make it nullable, or give it a default, in an earlier version".to_owned();
            found.push(diagnostic.related(place.input.ty().span(), "required here").help(help));
        }
    }
}
