//! Rules that async-graphql's checker leaves out or holds too loosely (GraphQL specification, section 5).
//!
//! [`before`] stands before the checker, which trusts what it says; [`after`] stands behind it, and trusts it in turn
//! that every field, argument and fragment exists.

mod argument;
mod input_field;
mod introspection;
mod operation;
mod overlap;
mod typename;
mod variable_type;

use async_graphql::parser::types::ExecutableDocument;

use super::code;
use super::error::{Refusal, RefusalError};
use super::model::Model;

/// What must hold before the checker looks at a document.
pub(super) fn before(model: &Model, text: &str, document: &ExecutableDocument) -> Result<(), Refusal> {
    let mut errors = vec![];
    operation::check(document, &mut errors);
    variable_type::check(model, document, &mut errors);
    input_field::check(text, &mut errors);
    refuse(errors)
}

/// What else must hold of a document that the checker let through.
pub(super) fn after(model: &Model, document: &ExecutableDocument) -> Result<(), Refusal> {
    let mut errors = vec![];
    typename::check(document, &mut errors);
    argument::check(model, document, &mut errors);
    introspection::check(document, &mut errors);
    // Only now: it compares arguments that are known to be right.
    if errors.is_empty() {
        overlap::check(model, document, &mut errors);
    }
    refuse(errors)
}

fn refuse(errors: Vec<RefusalError>) -> Result<(), Refusal> {
    if errors.is_empty() { Ok(()) } else { Err(Refusal::of(errors)) }
}

fn invalid(detail: impl Into<String>) -> RefusalError {
    RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, detail)
}
