//! Converts a syntax error of cynic-parser to a [`Diagnostic`].

use cynic_parser::Error;

use super::parser_panics::Unreadable;
use crate::diagnostic::{Diagnostic, Span};
use crate::nearest::nearest;

/// The keywords that start a definition.
const KEYWORDS: [&str; 8] = ["type", "input", "interface", "enum", "union", "scalar", "directive", "schema"];

/// Converts `error`.
pub(super) fn diagnostic(error: &Error, source: &str) -> Diagnostic {
    let end = Span { start: source.trim_end().len(), end: source.trim_end().len() };
    let span = error.span().map_or(end, Span::from);
    match error {
        Error::EmptyTypeSystemDocument => empty(end),
        Error::UnrecognizedEof { .. } if is_empty(source) => empty(end),
        Error::UnrecognizedEof { expected, .. } => {
            Diagnostic::new(end, "the file ends in the middle of a definition", expectation(expected))
        }
        Error::UnrecognizedToken { expected, .. } => {
            let found = source.get(span.start..span.end).unwrap_or_default();
            let diagnostic = Diagnostic::new(span, format!("unexpected `{found}`"), expectation(expected));
            diagnostic.did_you_mean(nearest(found, KEYWORDS).filter(|_| expects_definition(expected)))
        }
        Error::Lexical(_) | Error::InvalidToken { .. } => unreadable(span, source),
        other => Diagnostic::new(span, other.to_string(), "here"),
    }
}

fn empty(end: Span) -> Diagnostic {
    Diagnostic::new(end, "the file defines nothing", "add `type Query { … }`")
}

/// Returns whether there are only comments.
fn is_empty(source: &str) -> bool {
    source.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}

/// Describes text that is no token: a string without an end, or a character that GraphQL does not use.
fn unreadable(span: Span, source: &str) -> Diagnostic {
    let rest = source.get(span.start..).unwrap_or_default();
    let (string, quote) = match rest.strip_prefix("\"\"\"") {
        Some(block) => (block.split("\"\"\"").next(), "\"\"\""),
        None => (rest.strip_prefix('"').and_then(|text| text.lines().next()), "\""),
    };
    let Some(string) = string else {
        return Diagnostic::new(span, "this character means nothing here", "cannot be read");
    };
    // The lexer reads the Basic Multilingual Plane only.
    if let Some((at, character)) = string.char_indices().find(|(_, c)| *c > '\u{FFFF}') {
        let start = span.start + quote.len() + at;
        return in_description(Span { start, end: start + character.len_utf8() }, character);
    }
    let help = format!("end it with `{quote}`; write a text of several lines between `\"\"\"`");
    Diagnostic::new(span, "this string has no end, or an escape that does not exist", "cannot be read").help(help)
}

/// Describes text that may be valid GraphQL but that the parser cannot read.
pub(super) fn unreadable_by_the_parser(found: Unreadable, source: &str) -> Diagnostic {
    let span = match found {
        Unreadable::List(span) => return Diagnostic::new(span, "more than 15 lists lie in each other", "one too many"),
        Unreadable::Character(span) => span,
    };
    match source.get(span.start..span.end).and_then(|found| found.chars().next()) {
        Some(character) if character > '\u{FFFF}' => in_description(span, character),
        _ => Diagnostic::new(span, "this control character is not allowed in a description", "cannot be read"),
    }
}

fn in_description(span: Span, character: char) -> Diagnostic {
    let message = format!("`{character}` is not allowed in a description");
    let help = "describe it in words: the parser reads no character beyond U+FFFF".to_owned();
    Diagnostic::new(span, message, "beyond U+FFFF").help(help)
}

fn expects_definition(expected: &[String]) -> bool {
    expected.iter().any(|name| name.trim_matches('"') == "scalar")
}

/// Names the tokens that the parser expected, in the terms of the specification.
fn expectation(expected: &[String]) -> String {
    let words = expected.iter().map(|name| name.trim_matches('"'));
    // If any name is expected, keywords are expected only as names.
    let any_name = words.clone().any(|word| word == "RawIdent");
    let is_sign = |word: &str| !word.starts_with(|c: char| c.is_ascii_lowercase());
    let mut names: Vec<String> = words
        .filter(|word| !any_name || is_sign(word))
        .map(|word| match word {
            "ty" => "`type`".to_owned(),
            "BlockStringLiteral" | "StringLiteral" => "a description".to_owned(),
            "RawIdent" => "a name".to_owned(),
            "IntegerLiteral" | "FloatLiteral" => "a number".to_owned(),
            other => format!("`{other}`"),
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    match names.split_last() {
        None => "nothing is allowed here".to_owned(),
        Some((one, [])) => format!("expected {one}"),
        Some((last, others)) => format!("expected {} or {last}", others.join(", ")),
    }
}
