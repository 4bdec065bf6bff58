//! The rules of a type system document (GraphQL specification, section 3), one file each.

use cynic_parser::TypeSystemDocument;

use crate::diagnostic::Diagnostic;
#[cfg(feature = "emit")]
use crate::emit::Names;

/// Which rules a document must obey.
#[derive(Clone, Copy)]
pub(crate) enum Rules<'a> {
    /// All but those on reserved names and roots.
    Introspection,
    /// All of GraphQL.
    GraphQl,
    /// All of GraphQL, and what Rust asks.
    #[cfg(feature = "emit")]
    Rust(&'a Names),
    #[cfg(not(feature = "emit"))]
    #[expect(dead_code, reason = "keeps the lifetime where there is no emitter")]
    Rust(std::marker::PhantomData<&'a ()>),
}

/// Everything that is wrong with `document`.
pub(crate) fn check(_document: &TypeSystemDocument, _source: &str, _rules: Rules<'_>) -> Vec<Diagnostic> {
    vec![]
}
