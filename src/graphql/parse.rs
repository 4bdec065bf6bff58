//! From text to document: async-graphql's parser, kept to the grammar where it is more lenient than the specification,
//! and given other spellings for what it does not know.

mod grammar;
mod spelling;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::ExecutableDocument;

use super::code;
use super::error::{Location, RefusalError};

/// Parses a text whose size and nesting are within the limits.
pub(super) fn parse(text: &str) -> Result<ExecutableDocument, RefusalError> {
    let document = parse_query(spelling::known(text)).map_err(|error| {
        let mut refusal = RefusalError::new(code::GRAPHQL_PARSE_FAILED, said(&error.to_string()));
        refusal.locations = error.positions().map(Location::from).collect();
        refusal
    })?;
    grammar::check(text, &document)?;
    Ok(document)
}

/// What the parser says, without its drawing of the line.
fn said(error: &str) -> String {
    let sentence = match error.split_once("\n  = ") {
        Some((_, expected)) => format!("Syntax error: {expected}."),
        None => format!("Syntax error: {error}."),
    };
    sentence.replace('\n', " ")
}

fn syntax(detail: &str, text: &str, at: usize) -> RefusalError {
    RefusalError::new(code::GRAPHQL_PARSE_FAILED, format!("Syntax error: {detail}.")).at(Location::of(text, at))
}
