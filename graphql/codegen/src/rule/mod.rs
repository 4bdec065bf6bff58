//! The rules that generated Rust adds to those of GraphQL.

mod rust_name;
mod rust_value;

use schema::Diagnostic;
use schema::rule::Document;

use crate::emit::Names;

/// Reports every violation of the rules of Rust in a document.
pub fn check(document: &Document<'_>, names: &Names, found: &mut Vec<Diagnostic>) {
    rust_name::check(document, names, found);
    rust_value::check(document, found);
}
