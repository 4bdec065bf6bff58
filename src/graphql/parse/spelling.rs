//! Strings in spellings that the parser knows. It knows neither characters beyond the basic plane by number (`\u{1F56F}`,
//! `\uD83D\uDD6F`) nor the escape of a block string (`\"""`): both are in the GraphQL specification, section 2.9.4.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::graphql::lexer::{Lexer, Token};

/// The text, with such strings written anew. What follows a string stays in its column where there is room for it.
pub(super) fn known(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") && !text.contains("\\\"\"\"") {
        return Cow::Borrowed(text);
    }
    let (mut written, mut copied) = (String::with_capacity(text.len()), 0);
    for (at, token) in Lexer::new(text) {
        let Token::String(string) = token else { continue };
        let anew = match string.strip_prefix("\"\"\"").and_then(|s| s.strip_suffix("\"\"\"")) {
            Some(block) => block.contains("\\\"\"\"").then(|| block_string(block)),
            None => string.contains("\\u").then(|| plain_string(string)).flatten(),
        };
        if let Some(anew) = anew {
            written.push_str(&text[copied..at]);
            written.push_str(&anew);
            let spare = string.chars().count().saturating_sub(anew.chars().count());
            written.extend(std::iter::repeat_n(' ', spare));
            copied = at + string.len();
        }
    }
    written.push_str(&text[copied..]);
    Cow::Owned(written)
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

    #[test]
    fn characters_by_number_stand_in_the_text() {
        assert_eq!(known("{a(b:\"\\uD83D\\uDD6F x\"){c}}"), format!("{{a(b:\"🕯 x\"{}){{c}}}}", " ".repeat(11)));
        assert_eq!(known("\"\\u{1F56F}\""), format!("\"🕯\"{}", " ".repeat(8)));
        assert_eq!(known("\"\\u0022\\u005c\\u000a\\n\\u0041\""), format!("\"\\\"\\\\\\u000A\\nA\"{}", " ".repeat(13)));
    }

    #[test]
    fn numbers_that_are_no_character_stay_for_the_parser_to_refuse() {
        for text in
            ["\"\\uD83D\"", "\"\\uD83D\\u0041\"", "\"\\u{110000}\"", "\"\\u{\"", "\"\\u12\"", "\"\\u{D83D}\"", "\"\\u"]
        {
            assert_eq!(known(text), text);
        }
    }

    #[test]
    fn block_strings_lose_their_escape_and_keep_their_lines() {
        assert_eq!(known("\"\"\"\n  a \\\"\"\"\n    b\\n\n\"\"\" c"), "\"a \\\"\\\"\\\"\\u000A  b\\\\n\"\n\n\n c");
    }
}
