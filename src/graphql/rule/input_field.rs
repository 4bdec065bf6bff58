//! A field of an input object is given once (GraphQL specification, section 5.6.3). The parser keeps the last of
//! several and tells nobody, so this looks at the text.

use super::invalid;
use crate::graphql::error::{Location, RefusalError};
use crate::graphql::lexer::{Lexer, Token};

/// An open bracket.
enum Open<'a> {
    /// The fields of an input object so far.
    Object(Vec<&'a str>),
    Parenthesis,
    Other,
}

pub(super) fn check(text: &str, errors: &mut Vec<RefusalError>) {
    let mut open: Vec<Open<'_>> = vec![];
    let mut parentheses = 0usize;
    let mut tokens = Lexer::new(text).peekable();
    while let Some((at, token)) = tokens.next() {
        match token {
            Token::Open(b'(') => {
                parentheses += 1;
                open.push(Open::Parenthesis);
            }
            // Braces inside of parentheses are values; outside of them they are selections.
            Token::Open(b'{') if parentheses > 0 => open.push(Open::Object(vec![])),
            Token::Open(_) => open.push(Open::Other),
            Token::Close(_) => {
                if let Some(Open::Parenthesis) = open.pop() {
                    parentheses -= 1;
                }
            }
            Token::Name(name) if matches!(tokens.peek(), Some((_, Token::Colon))) => {
                let Some(Open::Object(fields)) = open.last_mut() else { continue };
                if fields.contains(&name) {
                    errors.push(invalid(format!("The field \"{name}\" is given twice.")).at(Location::of(text, at)));
                    return;
                }
                fields.push(name);
            }
            _ => {}
        }
    }
}
