//! Limits on the text of a document: the parser recurses, so they stand before it.

use super::{Limits, exceeded};
use crate::graphql::error::{Location, RefusalError};

/// Refuses a text that is too long or nests too deep.
pub(in crate::graphql) fn check(text: &str, limits: &Limits) -> Result<(), RefusalError> {
    if text.len() > limits.document_bytes_max {
        let (bytes, max) = (text.len(), limits.document_bytes_max);
        return Err(exceeded(format!("The document has {bytes} bytes; at most {max} are allowed.")));
    }
    match first_bracket_over(text, limits.nesting_max) {
        None => Ok(()),
        Some(at) => {
            let max = limits.nesting_max;
            Err(exceeded(format!("The document nests brackets deeper than {max} levels.")).at(location(text, at)))
        }
    }
}

/// Where the first bracket stands that is more than `nesting_max` deep, strings and comments left out.
fn first_bracket_over(text: &str, nesting_max: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut open, mut at) = (0usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' | b'(' => {
                open += 1;
                if open > nesting_max {
                    return Some(at);
                }
            }
            b'}' | b']' | b')' => open = open.saturating_sub(1),
            b'#' => at = end_of_comment(bytes, at),
            b'"' if bytes[at..].starts_with(b"\"\"\"") => at = end_of_block_string(bytes, at + 3),
            b'"' => at = end_of_string(bytes, at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The last byte of a comment (GraphQL specification, section 2.1.4).
fn end_of_comment(bytes: &[u8], from: usize) -> usize {
    let length = bytes[from..].iter().position(|b| matches!(b, b'\n' | b'\r'));
    length.map_or(bytes.len(), |length| from + length)
}

/// The closing quote of a string. A string ends with its line, where the parser refuses it: what follows is looked at.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && !matches!(bytes[at], b'"' | b'\n' | b'\r') {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// The last of the three closing quotes of a block string, in which only `\"""` is escaped.
fn end_of_block_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        if bytes[at..].starts_with(b"\\\"\"\"") {
            at += 4;
        } else if bytes[at..].starts_with(b"\"\"\"") {
            return at + 2;
        } else {
            at += 1;
        }
    }
    at
}

fn location(text: &str, at: usize) -> Location {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Location { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
}
