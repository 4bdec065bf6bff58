//! Rules for extensions, `extend type Book { … }`, which are checked before they are merged into what they extend.

use dated_graphql_syntax::{TypeDefinition, TypeSystemDocument};

use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;

/// The type that is extended is defined, with the same kind (GraphQL specification, section 3.4.3).
pub(crate) fn known_extension(document: &TypeSystemDocument<'_>, found: &mut Vec<Diagnostic>) {
    let types = &document.types;
    for TypeDefinition { name, kind, .. } in &document.type_extensions {
        match types.iter().find(|ty| ty.name.text == name.text) {
            None => {
                let message = format!("there is no type `{}` to extend", name.text);
                let near = nearest(name.text, types.iter().map(|ty| ty.name.text));
                found.push(Diagnostic::new(name.span, message, "not in this file").did_you_mean(near));
            }
            Some(ty) if ty.kind != *kind => {
                let message = format!("`{}` is {}", name.text, ty.kind.kind_name());
                let label = format!("extended as {}", kind.kind_name());
                found.push(Diagnostic::new(name.span, message, label).related(ty.name.span, "defined here"));
            }
            Some(_) => {}
        }
    }
}
