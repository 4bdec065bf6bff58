//! Formats SDL: indentation, spaces and blank lines. Line breaks, comments, commas and the values of strings stay as they are.
//!
//! Called by `cargo schema fmt`. The text has passed every rule.

use crate::string_value::{BLOCK_QUOTES, common_indent, is_blank, string_length};

const INDENT: &str = "  ";

/// A token or a comment, and the line breaks before it.
struct Token<'a> {
    text: &'a str,
    breaks: usize,
}

/// Returns the formatted text; formatting it again changes nothing.
pub fn format(source: &str) -> String {
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(source.len());
    let mut depth = 0_usize;
    let mut before = None;
    for Token { text, breaks } in tokens(&source) {
        let closes = matches!(text, "}" | "]" | ")");
        depth = depth.saturating_sub(usize::from(closes));
        let indent = INDENT.repeat(depth + usize::from(continues(before, text, depth)));
        match before {
            Some(before) if breaks > 0 => {
                let ends_definition = depth == 0 && before == "}";
                let keeps_blank = breaks > 1 && !matches!(before, "{" | "[" | "(") && !closes;
                out.push_str(if ends_definition || keeps_blank { "\n\n" } else { "\n" });
                out.push_str(&indent);
            }
            Some(before) if is_spaced(before, text) => out.push(' '),
            _ => {}
        }
        push(&mut out, text, &indent);
        depth += usize::from(matches!(text, "{" | "[" | "("));
        before = Some(text);
    }
    out.push('\n');
    out
}

/// Returns the tokens and comments of a text.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
    let mut tokens = vec![];
    let mut rest = source;
    loop {
        let next = rest.trim_start_matches([' ', '\t', '\n', '\u{C}', '\u{FEFF}']);
        let breaks = rest[..rest.len() - next.len()].matches('\n').count();
        let Some(first) = next.chars().next() else { return tokens };
        let length = match first {
            '#' => next.find('\n').unwrap_or(next.len()),
            '"' => string_length(next),
            _ if is_word(first) => next.find(|c| !is_word(c)).unwrap_or(next.len()),
            _ => first.len_utf8(),
        };
        tokens.push(Token { text: &next[..length], breaks });
        rest = &next[length..];
    }
}

/// Returns whether a line that starts with `text` continues the one before, such as a member of a union.
fn continues(before: Option<&str>, text: &str, depth: usize) -> bool {
    let starts = matches!(text, "|" | "&" | "=" | "@") || (depth == 0 && matches!(text, "implements" | "on"));
    starts || matches!(before, Some("|" | "&" | "=" | ":"))
}

/// Returns whether a space separates two tokens of a line.
fn is_spaced(before: &str, text: &str) -> bool {
    let is_name = before.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match (before, text) {
        ("(" | "[" | "@", _) | (_, ")" | "]" | ":" | "!" | ",") | ("{", "}") => false,
        (_, "(") => !is_name,
        _ => true,
    }
}

/// Adds a token. The lines of a block string get the indentation of its line, which its value does not contain.
fn push(out: &mut String, text: &str, indent: &str) {
    let Some(inner) = text.strip_prefix(BLOCK_QUOTES).and_then(|text| text.strip_suffix(BLOCK_QUOTES)) else {
        return out.push_str(text.trim_end());
    };
    let common = common_indent(inner);
    let mut lines = inner.split('\n');
    out.push_str(BLOCK_QUOTES);
    out.push_str(lines.next().filter(|line| !is_blank(line)).unwrap_or_default());
    let last = inner.matches('\n').count();
    for (at, line) in lines.enumerate() {
        let line = line.get(common..).unwrap_or_default();
        let is_end = at + 1 == last;
        let line = if is_end && is_blank(&line) { "" } else { line };
        out.push('\n');
        out.push_str(if line.is_empty() && !is_end { "" } else { indent });
        out.push_str(line);
    }
    out.push_str(BLOCK_QUOTES);
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn format_keeps_lines_comments_and_values() {
        let source = "# The root.\n\"\"\"\n      Everything.\n\n        Indented.\n   \"\"\"\n\
                      type  Query{ # here\n a ( x:Int=1,y : [ String ! ] ! = [\"a\"  \"b\"] ) :Int!@deprecated( reason:\"Use `b`.\" )\n\n\n\
                      \x20   b(\n x: Int\n  ): Int\n\n}\nunion  Any=\n| Card\n  |Theme\ntype Card  implements  Node&Named{id:ID!}\n\
                      enum Empty { A }\ninput I { a: I = {} }";
        let expected = "# The root.\n\"\"\"\nEverything.\n\n  Indented.\n\"\"\"\n\
                        type Query { # here\n  a(x: Int = 1, y: [String!]! = [\"a\" \"b\"]): Int! @deprecated(reason: \"Use `b`.\")\n\n\
                        \x20 b(\n    x: Int\n  ): Int\n}\n\nunion Any =\n  | Card\n  | Theme\ntype Card implements Node & Named { id: ID! }\n\n\
                        enum Empty { A }\n\ninput I { a: I = {} }\n";
        assert_eq!(format(source), expected);
        assert_eq!(format(expected), expected);
    }
}
