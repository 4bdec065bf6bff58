//! Each type and each directive is defined once, and a built-in scalar not at all (specification, section 3.3).

use cynic_parser::type_system::Definition;

use super::document::{BUILT_IN, Document, duplicates, name_span};
use crate::diagnostic::Diagnostic;

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let types = document.types().map(|ty| (ty.name(), name_span(ty)));
    duplicates(types, |name| format!("type `{name}` is defined twice"), found);
    let directives = document.directives().map(|directive| (directive.name(), directive.name_span().into()));
    duplicates(directives, |name| format!("directive `@{name}` is defined twice"), found);
    let schemas = document.definitions().filter_map(|definition| match definition {
        Definition::Schema(schema) => Some(("schema", schema.span().into())),
        _ => None,
    });
    duplicates(schemas, |_| "there are two `schema` blocks".to_owned(), found);
}

/// For every document but that of introspection, which says how the built-in ones look.
pub(super) fn check_built_in(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for ty in document.types().filter(|ty| BUILT_IN.contains(&ty.name())) {
        let message = format!("`{}` is built in", ty.name());
        found.push(Diagnostic::new(name_span(ty), message, "cannot be defined").help("choose another name".to_owned()));
    }
}
