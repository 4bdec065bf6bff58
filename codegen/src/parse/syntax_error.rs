//! A mistake of syntax, in words: cynic-parser's error as a [`Diagnostic`].

use cynic_parser::Error;

use crate::diagnostic::{Diagnostic, Span};
use crate::nearest::nearest;

/// The words a definition begins with.
const KEYWORDS: [&str; 8] = ["type", "input", "interface", "enum", "union", "scalar", "directive", "schema"];

/// The diagnostic for `error`.
pub(super) fn diagnostic(error: &Error, source: &str) -> Diagnostic {
    let end = Span { start: source.trim_end().len(), end: source.trim_end().len() };
    let span = error.span().map_or(end, Span::from);
    match error {
        Error::UnrecognizedToken { expected, .. } => {
            let found = source.get(span.start..span.end).unwrap_or_default();
            Diagnostic::new(span, format!("unexpected `{found}`"), expectation(expected))
                .did_you_mean(nearest(found, KEYWORDS))
        }
        Error::UnrecognizedEof { expected, .. } => {
            Diagnostic::new(end, "the file ends in the middle of a definition", expectation(expected))
        }
        Error::EmptyTypeSystemDocument => Diagnostic::new(end, "the file defines nothing", "add `type Query { … }`"),
        Error::Lexical(_) | Error::InvalidToken { .. } => {
            let help = "a string begins and ends with `\"`, a longer text with `\"\"\"`";
            Diagnostic::new(span, "these characters mean nothing here", "cannot be read").help(help.to_owned())
        }
        other => Diagnostic::new(span, other.to_string(), "here"),
    }
}

/// What the parser would have taken, in the words of the specification.
fn expectation(expected: &[String]) -> String {
    let mut names: Vec<&str> = expected
        .iter()
        .map(|name| match name.trim_matches('"') {
            "ty" => "type",
            "BlockStringLiteral" | "StringLiteral" => "a description",
            "RawIdent" => "a name",
            other => other,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    match &names[..] {
        [] => "nothing can stand here".to_owned(),
        [one] => format!("expected `{one}`"),
        many => format!("expected one of `{}`", many.join("`, `")),
    }
}
