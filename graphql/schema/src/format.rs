//! Formats SDL: indentation, spaces and blank lines, and a line for each definition and each part between its braces. Other
//! line breaks, comments and the values of strings stay as they are. `type A { x: Int, y: Int }` becomes
//!
//! ```text
//! type A {
//!   x: Int
//!   y: Int
//! }
//! ```
//!
//! Called by `cargo schema fmt`. The text has the syntax of SDL; it may break every other rule.

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
    let mut block = Block::default();
    for Token { text, breaks } in tokens(&source) {
        let closes = matches!(text, "}" | "]" | ")");
        depth = depth.saturating_sub(usize::from(closes));
        let begins = block.begins_line(text, depth);
        if text == "," && block.is_open && depth == 1 {
            continue;
        }
        let indent = INDENT.repeat(depth + usize::from(continues(before, text, depth)));
        match before {
            Some(before) if breaks > 0 || begins => {
                let ends_definition = depth == 0 && before == "}" && !closes;
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

/// Finds the parts between the braces of a definition: fields, values and roots.
#[derive(Default)]
struct Block<'a> {
    is_open: bool,
    /// The token before, which is no comment.
    before: &'a str,
    /// Whether it is the description of a part.
    is_description: bool,
}

impl<'a> Block<'a> {
    /// Takes the next token, and returns whether it begins a line: a part, the end of the block, or the next definition.
    fn begins_line(&mut self, text: &'a str, depth: usize) -> bool {
        if text.starts_with('#') || text == "," {
            return false;
        }
        let before = std::mem::replace(&mut self.before, text);
        let starts_name = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '"'));
        let follows_description = std::mem::take(&mut self.is_description);
        if depth > 0 {
            let is_part = self.is_open && depth == 1 && starts_name && !matches!(before, ":" | "=" | "@");
            self.is_description = is_part && text.starts_with('"');
            return is_part && !follows_description;
        }
        match text {
            "{" => self.is_open = true,
            "}" if self.is_open => {
                self.is_open = false;
                return before != "{";
            }
            _ => {}
        }
        before == "}" && text != ")"
    }
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
                        \x20 b(\n    x: Int\n  ): Int\n}\n\nunion Any =\n  | Card\n  | Theme\ntype Card implements Node & Named {\n  id: ID!\n}\n\n\
                        enum Empty {\n  A\n}\n\ninput I {\n  a: I = {}\n}\n";
        assert_eq!(format(source), expected);
        assert_eq!(format(expected), expected);
    }

    #[test]
    fn definition_on_one_line_gets_a_line_for_each_part() {
        let source = "type A @d(x: {y: 1}) { x: Int \"D.\" y(a: [I!] = [{b: 1, c: \"s\"}], z: E = A): Int! @d(a: 1) @e type: T } type B { x: Int }\n\
                      \"E.\" enum E { A, B # b\n, C } input I { b: Int = 1 c: String = \"s\" e: E = A, l: [Int] } scalar S extend type A @d { q: Q }\n\
                      schema { query: A } # end\ndirective @d(x: I = {b: 1} a: Int) on OBJECT | SCHEMA\nextend schema @d";
        let expected = "type A @d(x: { y: 1 }) {\n  x: Int\n  \"D.\" y(a: [I!] = [{ b: 1, c: \"s\" }], z: E = A): Int! @d(a: 1) @e\n  type: T\n}\n\n\
                        type B {\n  x: Int\n}\n\n\
                        \"E.\" enum E {\n  A\n  B # b\n  C\n}\n\n\
                        input I {\n  b: Int = 1\n  c: String = \"s\"\n  e: E = A\n  l: [Int]\n}\n\n\
                        scalar S extend type A @d {\n  q: Q\n}\n\n\
                        schema {\n  query: A\n} # end\ndirective @d(x: I = { b: 1 } a: Int) on OBJECT | SCHEMA\nextend schema @d\n";
        assert_eq!(format(source), expected);
        assert_eq!(format(expected), expected);
    }
}
