//! Limits on the text of a document: the parser recurses, so they stand before it.

use super::{Limits, exceeded};
use crate::graphql::error::{Location, RefusalError};
use crate::graphql::lexer::{Lexer, Token};

/// Refuses a text that is too long or nests too deep.
pub(in crate::graphql) fn check(text: &str, limits: &Limits) -> Result<(), RefusalError> {
    if text.len() > limits.document_bytes_max {
        let (bytes, max) = (text.len(), limits.document_bytes_max);
        return Err(exceeded(format!("The document has {bytes} bytes; at most {max} are allowed.")));
    }
    let mut open = 0usize;
    for (at, token) in Lexer::new(text) {
        match token {
            Token::Open(_) => open += 1,
            Token::Close(_) => open = open.saturating_sub(1),
            _ => continue,
        }
        if open > limits.nesting_max {
            let detail = format!("The document nests brackets deeper than {} levels.", limits.nesting_max);
            return Err(exceeded(detail).at(Location::of(text, at)));
        }
    }
    Ok(())
}
