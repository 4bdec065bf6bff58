//! Strings as the parser knows them. It knows neither characters beyond the basic plane by number (`\u{1F56F}`,
//! `\uD83D\uDD6F`), nor the escape of a block string (`\"""`), nor descriptions of operations and variables (GraphQL
//! specification, September 2025, sections 2.9.4 and 2.5).

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::graphql::lexer::{Lexer, Token};

/// The text, with such strings written anew. What follows a string stays in its column where there is room for it.
pub(super) fn known(text: &str) -> Cow<'_, str> {
    if !text.contains('"') {
        return Cow::Borrowed(text);
    }
    let (mut written, mut copied) = (String::new(), 0);
    let (mut open, mut last) = (0usize, b'}');
    let mut tokens = Lexer::new(text).peekable();
    while let Some((at, token)) = tokens.next() {
        match token {
            Token::Open(_) => open += 1,
            Token::Close(_) => open = open.saturating_sub(1),
            _ => {}
        }
        let before = std::mem::replace(&mut last, text.as_bytes()[at]);
        let Token::String(string) = token else { continue };
        let anew = match open {
            // What describes nothing is left for the parser to refuse.
            0 => (before == b'}' && begins_definition(tokens.peek())).then(|| blank(string)),
            1 if !matches!(before, b':' | b'=') => begins_variable(text, tokens.peek()).then(|| blank(string)),
            _ => value(string),
        };
        if let Some(anew) = anew {
            written.push_str(&text[copied..at]);
            written.push_str(&anew);
            let spare = string.chars().count().saturating_sub(anew.chars().count());
            written.extend(std::iter::repeat_n(' ', spare));
            copied = at + string.len();
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    written.push_str(&text[copied..]);
    Cow::Owned(written)
}

fn begins_definition(next: Option<&(usize, Token<'_>)>) -> bool {
    matches!(next, Some((_, Token::Name("query" | "mutation" | "subscription" | "fragment"))))
}

fn begins_variable(text: &str, next: Option<&(usize, Token<'_>)>) -> bool {
    next.is_some_and(|(at, _)| text.as_bytes()[*at] == b'$')
}

/// White space on as many lines.
fn blank(string: &str) -> String {
    string.chars().map(|c| if matches!(c, '\n' | '\r') { c } else { ' ' }).collect()
}

/// The value of a string, where it is in another spelling than the parser's.
fn value(string: &str) -> Option<String> {
    match string.strip_prefix("\"\"\"").and_then(|s| s.strip_suffix("\"\"\"")) {
        Some(block) => block.contains("\\\"\"\"").then(|| block_string(block)),
        None => string.contains("\\u").then(|| plain_string(string)).flatten(),
    }
}

/// A string with its characters in place of their numbers; `None` when it holds a number that is no character, which
/// the parser then refuses.
fn plain_string(string: &str) -> Option<String> {
    let (mut written, mut rest) = (String::with_capacity(string.len()), string);
    while let Some(at) = rest.find('\\') {
        written.push_str(&rest[..at]);
        let escape = &rest[at..];
        let length = match escape.strip_prefix("\\u") {
            Some(number) => {
                let (character, length) = character(number)?;
                match character {
                    '"' | '\\' => write!(written, "\\{character}").ok()?,
                    control if control.is_control() => write!(written, "\\u{:04X}", u32::from(control)).ok()?,
                    character => written.push(character),
                }
                2 + length
            }
            None => {
                let length = 1 + escape[1..].chars().next()?.len_utf8();
                written.push_str(&escape[..length]);
                length
            }
        };
        rest = &escape[length..];
    }
    written.push_str(rest);
    Some(written)
}

/// The character that a text begins with the number of, and how long the number is.
fn character(number: &str) -> Option<(char, usize)> {
    if let Some(braced) = number.strip_prefix('{') {
        let digits = &braced[..braced.find('}')?];
        return Some((char::from_u32(hex(digits)?)?, digits.len() + 2));
    }
    let first = hex(number.get(..4)?)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 4));
    }
    let second = hex(number.get(4..)?.strip_prefix("\\u")?.get(..4)?)?;
    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    let mut decoded = char::decode_utf16(pair);
    match (decoded.next()?, decoded.next()) {
        (Ok(character), None) => Some((character, 10)),
        _ => None,
    }
}

fn hex(digits: &str) -> Option<u32> {
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// A block string as a plain one (GraphQL specification, section 2.9.4: BlockStringValue), on as many lines.
fn block_string(block: &str) -> String {
    let raw = block.replace("\\\"\"\"", "\"\"\"").replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = raw.split('\n').collect();
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let blank = |line: &&str| line.trim_matches([' ', '\t']).is_empty();
    let common = lines.iter().skip(1).filter(|line| !blank(line)).map(|line| indent(line)).min().unwrap_or(0);
    let dedented =
        lines.iter().enumerate().map(|(i, line)| if i == 0 { line } else { line.get(common..).unwrap_or("") });
    let dedented: Vec<&str> = dedented.collect();
    let first = dedented.iter().position(|line| !blank(line)).unwrap_or(dedented.len());
    let last = dedented.iter().rposition(|line| !blank(line)).map_or(first, |last| last + 1);
    let value = dedented[first..last].join("\n");
    let mut written = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => {
                let _ = write!(written, "\\{character}");
            }
            control if control.is_control() => {
                let _ = write!(written, "\\u{:04X}", u32::from(control));
            }
            character => written.push(character),
        }
    }
    written.push('"');
    // White space between tokens is free: the lines that follow keep their numbers.
    written.extend(std::iter::repeat_n('\n', lines.len() - 1));
    written
}

#[cfg(test)]
mod tests {
    use super::known;

    /// The text of an argument, and what it becomes.
    fn argument(value: &str) -> String {
        let text = format!("{{a(b:{value})}}");
        let anew = known(&text).into_owned();
        anew.strip_prefix("{a(b:").and_then(|s| s.strip_suffix(")}")).expect("only the value changes").to_owned()
    }

    #[test]
    fn characters_by_number_stand_in_the_text() {
        assert_eq!(argument("\"\\uD83D\\uDD6F x\""), format!("\"🕯 x\"{}", " ".repeat(11)));
        assert_eq!(argument("\"\\u{1F56F}\""), format!("\"🕯\"{}", " ".repeat(8)));
        let escaped = argument("\"\\u0022\\u005c\\u000a\\n\\u0041\"");
        assert_eq!(escaped, format!("\"\\\"\\\\\\u000A\\nA\"{}", " ".repeat(13)));
    }

    #[test]
    fn numbers_that_are_no_character_stay_for_the_parser_to_refuse() {
        for value in ["\\uD83D", "\\uD83D\\u0041", "\\u{110000}", "\\u{", "\\u12", "\\u{D83D}"] {
            let quoted = format!("\"{value}\"");
            assert_eq!(argument(&quoted), quoted);
        }
        assert_eq!(known("{a(b:\"\\u"), "{a(b:\"\\u");
    }

    #[test]
    fn block_strings_lose_their_escape_and_keep_their_lines() {
        let block = argument("\"\"\"\n  a \\\"\"\"\n    b\\n\n\"\"\"");
        assert_eq!(block, "\"a \\\"\\\"\\\"\\u000A  b\\\\n\"\n\n\n");
    }

    #[test]
    fn descriptions_become_white_space() {
        assert_eq!(known("\"a\" query{b}"), "    query{b}");
        assert_eq!(known("query(\"a\" $b:Int=\"c\"){d}"), "query(    $b:Int=\"c\"){d}");
        assert_eq!(known("\"a\" {b}"), "\"a\" {b}");
    }
}
