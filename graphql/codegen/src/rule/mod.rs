//! The rules that generated Rust adds to the rules of GraphQL.

mod rust_name;
mod rust_value;

use dated_graphql_schema::Diagnostic;
use dated_graphql_schema::rule::Document;

use crate::emit::RustPaths;

/// Reports every violation of the rules of Rust in a document.
pub fn check(document: &Document<'_>, names: &RustPaths, found: &mut Vec<Diagnostic>) {
    rust_name::check(document, names, found);
    rust_value::check(document, found);
}
