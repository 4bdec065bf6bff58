//! The rules of a type system document (GraphQL specification, section 3), one file each.
//!
//! Every rule sees the whole document and reports everything it finds, so that all mistakes are shown at once; what
//! another rule reports is passed over in silence. The golden cases are in `codegen/tool/tests/diagnostic`.

mod default_value;
mod deprecation;
mod directive;
mod document;
mod duplicate_argument;
mod duplicate_field;
mod duplicate_type;
mod duplicate_value;
mod empty_type;
mod input_cycle;
mod interface_cycle;
mod interface_field;
mod known_type;
mod one_of;
mod position;
mod reserved_name;
mod root;
mod value;

use cynic_parser::TypeSystemDocument;

use crate::diagnostic::Diagnostic;
pub use document::{BUILT_IN, Document, TypeKind, fields, kind, name_span};

/// Which rules a document must obey.
#[derive(Clone, Copy)]
pub enum Rules<'a> {
    /// All but those on reserved names and roots.
    Introspection,
    /// All of GraphQL.
    GraphQl,
    /// All of GraphQL, and the caller's own.
    Extended(&'a dyn Fn(&Document<'_>, &mut Vec<Diagnostic>)),
}

/// Everything that is wrong with a document.
pub(crate) fn check(document: &TypeSystemDocument, source: &str, rules: Rules<'_>) -> Vec<Diagnostic> {
    let document = Document::new(document, source);
    let mut found = vec![];
    let everywhere = [
        duplicate_type::check,
        duplicate_field::check,
        duplicate_argument::check,
        duplicate_value::check,
        known_type::check,
        position::check,
        interface_field::check,
        interface_cycle::check,
        default_value::check,
        directive::check,
        deprecation::check,
        empty_type::check,
        input_cycle::check,
        one_of::check,
        root::check_extensions,
    ];
    everywhere.iter().for_each(|check| check(&document, &mut found));
    if !matches!(rules, Rules::Introspection) {
        let of_ours = [duplicate_type::check_built_in, reserved_name::check, root::check];
        of_ours.iter().for_each(|check| check(&document, &mut found));
    }
    if let Rules::Extended(check) = rules {
        check(&document, &mut found);
    }
    found
}
