//! What the parser lets through and the grammar does not (GraphQL specification, section 2): a keyword that runs into
//! the next word, an empty list of variables, a fragment called `on`.

use async_graphql::parser::types::ExecutableDocument;

use super::syntax;
use crate::graphql::code;
use crate::graphql::error::RefusalError;
use crate::graphql::lexer::{Lexer, Token};

pub(super) fn check(text: &str, document: &ExecutableDocument) -> Result<(), RefusalError> {
    if let Some(fragment) = document.fragments.get("on") {
        let detail = "Syntax error: a fragment cannot be called \"on\".";
        return Err(RefusalError::new(code::GRAPHQL_PARSE_FAILED, detail).at(fragment.pos));
    }
    let (mut open, mut begins, mut last) = (0usize, true, Token::Other);
    for (at, token) in Lexer::new(text) {
        match token {
            Token::Name(word) if begins && !matches!(word, "query" | "mutation" | "subscription" | "fragment") => {
                return Err(syntax("expected a definition", text, at));
            }
            Token::Open(_) => open += 1,
            Token::Close(b')') if last == Token::Open(b'(') => {
                return Err(syntax("expected something between the parentheses", text, at));
            }
            Token::Close(_) => open = open.saturating_sub(1),
            _ => {}
        }
        // A definition ends with the selection set that is open to nobody; what follows begins the next one.
        begins = open == 0 && token == Token::Close(b'}');
        last = token;
    }
    Ok(())
}
