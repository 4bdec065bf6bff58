//! Finds the syntax errors of a file beyond the first, and the bracket that is never closed: reads each definition alone.
//!
//! A definition starts at the first column; its end is the start of the next one, also where a bracket is open.

use super::syntax_error;
use crate::diagnostic::{Diagnostic, Span};
use crate::string_value::BLOCK_QUOTES;

/// Returns the syntax errors of the definitions, read one by one; none if each is right by itself. `prepared` has the tokens
/// of `source` at the same bytes.
pub(super) fn errors(prepared: &str, source: &str) -> Vec<Diagnostic> {
    let tokens = tokens(prepared);
    let mut starts = vec![];
    for (at, token) in tokens.iter().enumerate() {
        let is_first_in_line = token.start == 0 || source[..token.start].ends_with(['\n', '\r']);
        let text = &prepared[token.start..token.end];
        let is_start = text.starts_with('"') || syntax_error::starts_definition(text);
        let follows_description =
            at > 0 && starts.last() == Some(&(at - 1)) && prepared[tokens[at - 1].start..].starts_with('"');
        if is_first_in_line && is_start && !follows_description {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    let definitions = starts.iter().zip(ends).filter_map(|(start, end)| tokens.get(*start..end));
    definitions.filter_map(|definition| error(definition, prepared, source)).collect()
}

/// Returns the error of one definition.
fn error(tokens: &[Span], prepared: &str, source: &str) -> Option<Diagnostic> {
    let (start, end) = (tokens.first()?.start, tokens.last()?.end);
    let error = cynic_parser::parse_type_system_document(&prepared[start..end]).err()?;
    let moved = |span: Span| Span { start: span.start + start, end: span.end + start };
    if !matches!(error, cynic_parser::Error::UnrecognizedEof { .. }) {
        return Some(syntax_error::diagnostic(&error, &source[start..end]).moved(moved));
    }
    let mut open = vec![];
    for token in tokens {
        match &prepared[token.start..token.end] {
            "{" | "(" | "[" => open.push(*token),
            "}" | ")" | "]" => drop(open.pop()),
            _ => {}
        }
    }
    let Some(bracket) = open.last() else {
        return Some(syntax_error::diagnostic(&error, &source[start..end]).moved(moved));
    };
    let text = &source[bracket.start..bracket.end];
    let diagnostic = Diagnostic::new(*bracket, format!("this `{text}` is never closed"), "opened here");
    Some(diagnostic.related(Span { start: end, end }, "the definition ends here"))
}

/// Splits a prepared text into names and strings, and other characters one by one.
fn tokens(prepared: &str) -> Vec<Span> {
    let (mut tokens, mut at) = (vec![], 0);
    while let Some(next) = prepared[at..].chars().next() {
        let rest = &prepared[at..];
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match next {
            ' ' => {
                at += 1;
                continue;
            }
            '#' => {
                at += rest.find('\n').map_or(rest.len(), |end| end + 1);
                continue;
            }
            '"' => {
                let quotes = if rest.starts_with(BLOCK_QUOTES) { BLOCK_QUOTES } else { "\"" };
                let inner = rest[quotes.len()..].find(quotes).unwrap_or(rest.len() - quotes.len());
                (inner + 2 * quotes.len()).min(rest.len())
            }
            _ if is_name(next) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            _ => next.len_utf8(),
        };
        tokens.push(Span { start: at, end: at + length });
        at += length;
    }
    tokens
}
