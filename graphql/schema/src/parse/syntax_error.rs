//! Converts a syntax error of cynic-parser to a [`Diagnostic`].

use cynic_parser::Error;

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
            let before = source[..span.start].trim_end();
            if found == "[" {
                return diagnostic.help("write a list as `[Book]`, with the brackets around the type".to_owned());
            } else if before.ends_with(':') {
                return diagnostic.help("write the type behind the `:`".to_owned());
            }
            diagnostic.did_you_mean(nearest(found, KEYWORDS).filter(|_| expects_definition(expected)))
        }
        Error::Lexical(_) | Error::InvalidToken { .. } => {
            let help = match source[span.start.min(source.len())..].chars().next() {
                Some('\'' | '‘' | '’' | '“' | '”' | '„') => "write a string between `\"`",
                Some(';') => "remove it: nothing separates definitions and fields",
                Some('?') => "remove it: a type without `!` may be null",
                _ => return Diagnostic::new(span, "this character means nothing here", "cannot be read"),
            };
            Diagnostic::new(span, "this character means nothing here", "cannot be read").help(help.to_owned())
        }
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

/// Returns whether a word starts a definition.
pub(crate) fn starts_definition(word: &str) -> bool {
    word == "extend" || KEYWORDS.contains(&word)
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
