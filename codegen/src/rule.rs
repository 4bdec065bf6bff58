//! The rules of a type system document (GraphQL specification, section 3), one file each.

use cynic_parser::TypeSystemDocument;

use crate::diagnostic::Diagnostic;

/// Which rules a document must obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    All,
    /// All but those on reserved names and roots.
    Introspection,
}

/// Everything that is wrong with `document`.
pub(crate) fn check(_document: &TypeSystemDocument, _source: &str, _rules: Rules) -> Vec<Diagnostic> {
    vec![]
}
