//! Formats SDL: indentation, spaces and blank lines, and a line for each definition, each description of one, and each part
//! between its braces. Arguments, and members of a union, that do not fit into [`WIDTH`] get a line each. Other line breaks,
//! comments and the values of strings stay as they are. `type A { x: Int, y: Int }` becomes
//!
//! ```text
//! type A {
//!   x: Int
//!   y: Int
//! }
//! ```
//!
//! Called by `cargo schema fmt`. The text has the syntax of SDL; it may break every other rule.

use std::collections::BTreeSet;

use dated_graphql_syntax::{KEYWORDS, Lexer, Token as Kind, common_indent, is_blank};

const BLOCK_QUOTES: &str = "\"\"\"";
const INDENT: &str = "  ";
/// The characters of a line beyond which its arguments or members are broken.
const WIDTH: usize = 120;

/// A token or a comment, and the line breaks before it.
struct Token<'a> {
    text: &'a str,
    breaks: usize,
}

/// Returns the formatted text; formatting it again changes nothing.
///
/// # Panics
/// If the text does not have the syntax of SDL.
pub fn format(source: &str) -> String {
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let tokens = tokens(&source);
    let mut broken = BTreeSet::new();
    loop {
        let (text, too_long) = write(&tokens, &broken);
        if too_long.is_empty() {
            return text;
        }
        broken.extend(too_long);
    }
}

/// Writes the tokens; the arguments after the brackets, and the members after the `=`, at the indices `broken` get a line each.
/// Also returns the indices of the others whose lines are too long.
fn write(tokens: &[Token<'_>], broken: &BTreeSet<usize>) -> (String, Vec<usize>) {
    let mut out = String::new();
    let (mut brackets, mut before, mut lines) = (Brackets::default(), None, Lines::default());
    let (mut start, mut bracket, mut too_long, mut is_broken_union) = (0, None, vec![], false);
    for (at, Token { text, breaks }) in tokens.iter().enumerate() {
        if *text == "," && lines.blocks.last() == Some(&brackets.open.len()) {
            continue;
        }
        let next = tokens.get(at + 1).map(|next| next.text);
        let is_next = !text.starts_with('#') && brackets.begins_next(before.unwrap_or_default(), text, next);
        let (opens, closes) = (matches!(*text, "{" | "[" | "("), matches!(*text, "}" | "]" | ")"));
        let depth = brackets.open.len() - usize::from(opens);
        let is_first = before == Some("=") && !text.starts_with(['#', '|']);
        let is_member = is_broken_union && depth == 0 && (is_first || *text == "|");
        let begins = lines.begins(text, depth) || is_member;
        let indent = INDENT.repeat(depth + usize::from(continues(before, text, depth)));
        match before {
            Some(before) if *breaks > 0 || begins => {
                too_long.extend(bracket.take().filter(|_| out[start..].chars().count() > WIDTH));
                let ends_definition = depth == 0 && before == "}" && !closes;
                let keeps_blank = *breaks > 1 && !matches!(before, "{" | "[" | "(") && !closes;
                out.push_str(if ends_definition || keeps_blank { "\n\n" } else { "\n" });
                start = out.len();
                out.push_str(&indent);
            }
            Some(before) if is_spaced(before, text) => out.push_str(if is_next { ", " } else { " " }),
            _ => {}
        }
        if is_member && is_first {
            out.push_str("| ");
        }
        push(&mut out, text, &indent);
        let is_broken = broken.contains(&at);
        let is_union = *text == "=" && depth == 0;
        is_broken_union = if is_union { is_broken } else { is_member || (is_broken_union && !begins) };
        if (is_union || *text == "(" && !lines.is_in_use()) && !is_broken {
            bracket.get_or_insert(at);
        }
        if (is_broken && !is_union) || (*text == "{" && depth == 0) {
            lines.blocks.push(brackets.open.len());
        }
        before = Some(*text);
    }
    too_long.extend(bracket.filter(|_| out[start..].chars().count() > WIDTH));
    (out + "\n", too_long)
}

/// Finds the tokens that begin a line: definitions, and the parts of blocks, such as fields, values and broken arguments.
#[derive(Default)]
struct Lines<'a> {
    /// The depths of the open blocks.
    blocks: Vec<usize>,
    /// The last tokens, without comments.
    recent: [&'a str; 4],
    /// Whether the last is the description of a definition or part.
    is_description: bool,
}

impl<'a> Lines<'a> {
    /// Takes the next token, and returns whether it begins a line.
    fn begins(&mut self, text: &'a str, depth: usize) -> bool {
        if text.starts_with('#') || text == "," {
            return false;
        }
        let [_, first, second, before] = self.recent;
        self.recent = [first, second, before, text];
        let follows_description = std::mem::take(&mut self.is_description);
        if matches!(text, "}" | ")") && self.blocks.last() == Some(&(depth + 1)) {
            self.blocks.pop();
            return !matches!(before, "{" | "(");
        }
        let is_part = match depth {
            0 => (before == "}" && text != ")") || is_definition(before, text),
            _ => {
                let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '"'));
                starts && self.blocks.last() == Some(&depth) && !matches!(before, ":" | "=" | "@")
            }
        };
        self.is_description = is_part && text.starts_with('"');
        is_part || follows_description
    }

    /// Returns whether the last token, a bracket, follows a directive that is used and not defined.
    fn is_in_use(&self) -> bool {
        self.recent[1] == "@" && self.recent[0] != "directive"
    }
}

/// Returns whether a token outside of brackets starts a definition: as a keyword or description, not as a name.
fn is_definition(before: &str, text: &str) -> bool {
    let names_follow = KEYWORDS.contains(&before) || matches!(before, "implements" | "on" | "=" | "|" | "&" | "@");
    (KEYWORDS.contains(&text) || text.starts_with('"')) && !names_follow
}

/// Returns the tokens, commas and comments of a text.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let (mut lexer, mut tokens, mut end) = (Lexer::new(source), vec![], 0);
    loop {
        lexer.advance().expect("the text has the syntax of SDL");
        let mut breaks = 0;
        // The text between two tokens; a comment ends before a line break.
        let mut rest = &source[end..lexer.span().start];
        while let Some(next) = rest.chars().next() {
            let length = match next {
                '#' => rest.find('\n').unwrap_or(rest.len()),
                _ => next.len_utf8(),
            };
            match next {
                '\n' => breaks += 1,
                ',' | '#' => tokens.push(Token { text: &rest[..length], breaks: std::mem::take(&mut breaks) }),
                _ => {}
            }
            rest = &rest[length..];
        }
        if lexer.token() == Kind::End {
            return tokens;
        }
        tokens.push(Token { text: lexer.written(), breaks });
        end = lexer.span().end;
    }
}

/// Returns whether a line that starts with `text` continues the previous line, such as a member of a union.
fn continues(before: Option<&str>, text: &str, depth: usize) -> bool {
    let starts = matches!(text, "|" | "&" | "=" | "@") || (depth == 0 && matches!(text, "implements" | "on"));
    starts || matches!(before, Some("|" | "&" | "=" | ":"))
}

/// Returns whether a space separates two tokens of a line.
fn is_spaced(before: &str, text: &str) -> bool {
    let is_name = before.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match (before, text) {
        (_, text) if text.starts_with('#') => true,
        ("(" | "[" | "@", _) | (_, ")" | "]" | ":" | "!" | ",") | ("{", "}") => false,
        (_, "(") => !is_name,
        _ => true,
    }
}

/// The brackets around the next token, to find the items between which graphql-js prints a comma.
#[derive(Default)]
struct Brackets<'a> {
    open: Vec<&'a str>,
    /// Whether the last token is the description of an argument.
    is_description: bool,
}

impl<'a> Brackets<'a> {
    /// Takes the next token, and returns whether it begins an item that is not the first: of a list, an argument or a field of an object.
    fn begins_next(&mut self, before: &str, text: &'a str, next: Option<&str>) -> bool {
        let follows_description = std::mem::take(&mut self.is_description);
        let begins = match self.open.last() {
            None => false,
            Some(&"[") => !matches!(text, "]" | "!"),
            Some(_) if text.starts_with('"') => {
                self.is_description = !matches!(before, ":" | "=");
                self.is_description
            }
            Some(_) => next == Some(":") && !follows_description,
        };
        match text {
            "{" | "[" | "(" => self.open.push(text),
            "}" | "]" | ")" => drop(self.open.pop()),
            _ => {}
        }
        begins && !matches!(before, "(" | "[" | "{" | ",")
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
        let line = if is_end && is_blank(line) { "" } else { line };
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
                      \x20   b(\n x: Int\n  ): Int\n\n}\nunion  Any=\n| Book\n  |Genre\ntype Book  implements  Node&Named{id:ID!}\n\
                      enum Empty { A }\ninput I { a: I = {} }";
        let expected = "# The root.\n\"\"\"\nEverything.\n\n  Indented.\n\"\"\"\n\
                        type Query { # here\n  a(x: Int = 1, y: [String!]! = [\"a\", \"b\"]): Int! @deprecated(reason: \"Use `b`.\")\n\n\
                        \x20 b(\n    x: Int\n  ): Int\n}\n\nunion Any =\n  | Book\n  | Genre\ntype Book implements Node & Named {\n  id: ID!\n}\n\n\
                        enum Empty {\n  A\n}\n\ninput I {\n  a: I = {}\n}\n";
        assert_eq!(format(source), expected);
        assert_eq!(format(expected), expected);
    }

    #[test]
    fn definition_on_one_line_gets_a_line_for_each_part() {
        let source = "type A @d(x: {y: 1}) { x: Int \"D.\" y(a: [I!] = [{b: 1, c: \"s\"}], z: E = A): Int! @d(a: 1) @e type: T } type B { x: Int }\n\
                      \"E.\" enum E { A, B # b\n, C } input I { b: Int = 1 c: String = \"s\" e: E = A, l: [Int] } scalar S\nextend type A @d { q: Q }\n\
                      schema { query: A } # end\ndirective @d(x: I = {b: 1} a: Int) on OBJECT | SCHEMA\nextend schema @d";
        let expected = "type A @d(x: { y: 1 }) {\n  x: Int\n  \"D.\"\n  y(a: [I!] = [{ b: 1, c: \"s\" }], z: E = A): Int! @d(a: 1) @e\n  type: T\n}\n\n\
                        type B {\n  x: Int\n}\n\n\
                        \"E.\"\nenum E {\n  A\n  B # b\n  C\n}\n\n\
                        input I {\n  b: Int = 1\n  c: String = \"s\"\n  e: E = A\n  l: [Int]\n}\n\n\
                        scalar S\nextend type A @d {\n  q: Q\n}\n\n\
                        schema {\n  query: A\n} # end\ndirective @d(x: I = { b: 1 }, a: Int) on OBJECT | SCHEMA\nextend schema @d\n";
        assert_eq!(format(source), expected);
        assert_eq!(format(expected), expected);
    }

    #[test]
    fn arguments_of_a_long_line_get_a_line_each() {
        let long = "x".repeat(60);
        let source = format!(
            "type A {{ short(a: Int, b: Int): Int a(\"D.\" {long}: [I!]! = [{{ b: 1, c: 2 }}] @d(x: 1, y: 2), b: E = type, c: \
             Int): Int! @d(reason: \"{long}\", x: 1) b: Int @d(reason: \"{long}{long}\", x: 1) }} directive @d({long}: Int {long}: \
             Int) on OBJECT"
        );
        let expected = format!(
            "type A {{\n  short(a: Int, b: Int): Int\n  a(\n    \"D.\"\n    {long}: [I!]! = [{{ b: 1, c: 2 }}] @d(x: 1, y: 2)\n    b: E = type\n\
             \x20   c: Int\n  ): Int! @d(reason: \"{long}\", x: 1)\n  b: Int @d(reason: \"{long}{long}\", x: 1)\n}}\n\n\
             directive @d(\n  {long}: Int\n  {long}: Int\n) on OBJECT\n"
        );
        assert_eq!(format(&source), expected);
        assert_eq!(format(&expected), expected);
    }

    #[test]
    fn members_of_a_long_union_get_a_line_each() {
        let [long, other] = ["X", "Y"].map(|name| name.repeat(60));
        let source = format!("union Short = A | B union Long @d(a: 1) = {long} | {other} # end\n| C scalar S");
        let expected =
            format!("union Short = A | B\nunion Long @d(a: 1) =\n  | {long}\n  | {other} # end\n  | C\nscalar S\n");
        assert_eq!(format(&source), expected);
        assert_eq!(format(&expected), expected);
    }

    /// As graphql-js prints it.
    #[test]
    fn items_of_a_line_are_divided_by_commas() {
        let [source, expected] = [
            "type Query {\n  b(x: Int = 1 @deprecated y: String = \"s\" \"D.\" z: [[Int!]!] @d(x: 1 y: [1 -2 \"a\"])): Int\n\
             \x20 c(l: [I] = [{ a: 1 b: { c: E } } {}] e: E = A, type: T): Int\n}\n",
            "type Query {\n  b(x: Int = 1 @deprecated, y: String = \"s\", \"D.\" z: [[Int!]!] @d(x: 1, y: [1, -2, \"a\"])): Int\n\
             \x20 c(l: [I] = [{ a: 1, b: { c: E } }, {}], e: E = A, type: T): Int\n}\n",
        ];
        assert_eq!(format(source), expected);
        assert_eq!(format(expected), expected);
    }

    #[test]
    fn comment_keeps_its_distance() {
        let source = "type A { # a\n  b( # b\n    x: [ # c\n      Int\n    ] = [ # d\n      1\n    ]\n  ): Int\n}\n";
        assert_eq!(format(source), source);
    }

    #[test]
    fn keyword_as_a_name_begins_no_line() {
        let source = "type type implements input & enum @schema {\n  type: type\n}\n\nunion union = type | input\nscalar extend\n";
        assert_eq!(format(source), source);
    }
}
