//! Limits on the text of a document, which stand before the parser: it recurses, and is slow to read directives.

use super::{Limits, exceeded};
use crate::graphql::error::{Location, RefusalError};
use crate::graphql::lexer::{Lexer, Token};

/// Refuses a text that is too long, nests too deep or has too many directives.
pub(in crate::graphql) fn check(text: &str, limits: &Limits) -> Result<(), RefusalError> {
    if text.len() > limits.document_bytes_max {
        let (bytes, max) = (text.len(), limits.document_bytes_max);
        return Err(exceeded(format!("The document has {bytes} bytes; at most {max} are allowed.")));
    }
    let (mut open, mut directives) = (0usize, 0usize);
    for (at, token) in Lexer::new(text) {
        match token {
            Token::Open(_) => open += 1,
            Token::Close(_) => open = open.saturating_sub(1),
            Token::At => directives += 1,
            _ => continue,
        }
        if open > limits.nesting_max {
            let detail = format!("The document nests brackets deeper than {} levels.", limits.nesting_max);
            return Err(exceeded(detail).at(Location::of(text, at)));
        }
    }
    if directives > limits.directives_max {
        let max = limits.directives_max;
        return Err(exceeded(format!("The document has {directives} directives; at most {max} are allowed.")));
    }
    Ok(())
}
