//! Rules of the source code and its documents that neither the compiler nor clippy can check.

pub mod documents;
mod imports;
mod migration;
mod packaging;
mod root_fields;
mod source;
mod stored_field;
