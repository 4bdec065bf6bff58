//! Finds input on which cynic-parser panics, before it parses. `codegen/schema/tests/fuzz.rs` found both cases.
//!
//! GraphQL allows every character except control characters in a block string (specification, section 2.1.1); the lexer
//! panics on characters beyond U+FFFF. GraphQL does not limit the depth of lists; the parser panics beyond fifteen.

use crate::diagnostic::Span;

const QUOTES: &str = "\"\"\"";
const ESCAPED: &str = "\\\"\"\"";
const LISTS_MAX: usize = 15;

/// Input on which the parser panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// A character of a block string.
    Character(Span),
    /// The end of a list that is nested too deep.
    List(Span),
}

/// Returns the first input on which the parser panics.
pub(super) fn find(source: &str) -> Option<Unreadable> {
    let (mut at, mut lists) = (0, 0);
    while let Some(next) = source[at..].find(['"', '#', ']']) {
        let is_blank = |c: char| c.is_whitespace() || matches!(c, '!' | ',' | '\u{FEFF}');
        if !source[at..at + next].chars().all(is_blank) {
            lists = 0;
        }
        at += next;
        let rest = &source[at..];
        if rest.starts_with(']') {
            lists += 1;
            if lists > LISTS_MAX {
                return Some(Unreadable::List(Span { start: at, end: at + 1 }));
            }
            at += 1;
        } else if rest.starts_with('#') {
            at += rest.find(['\n', '\r']).unwrap_or(rest.len());
        } else if let Some(block) = rest.strip_prefix(QUOTES) {
            lists = 0;
            let length = end(block);
            let wrong = block[..length].char_indices().find(|(_, character)| !is_readable(*character));
            if let Some((offset, character)) = wrong {
                let start = at + QUOTES.len() + offset;
                return Some(Unreadable::Character(Span { start, end: start + character.len_utf8() }));
            }
            at += (QUOTES.len() + length + QUOTES.len()).min(rest.len());
        } else {
            lists = 0;
            at += 1 + string_length(&rest[1..]);
        }
    }
    None
}

const fn is_readable(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{FFFF}')
}

/// Returns the end of the text of a block string: before its closing quotes, or the end of the file.
fn end(block: &str) -> usize {
    let mut at = 0;
    while let Some(next) = block[at..].find(QUOTES) {
        let offset = at + next;
        if !block[..offset].ends_with('\\') {
            return offset;
        }
        at = offset + ESCAPED.len() - 1;
    }
    block.len()
}

/// Returns the length of a string of one line, including its closing quote if it has one.
fn string_length(string: &str) -> usize {
    let mut escaped = false;
    for (at, character) in string.char_indices() {
        match character {
            '\n' | '\r' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = character == '\\' && !escaped,
        }
    }
    string.len()
}

#[cfg(test)]
mod tests {
    use super::{Unreadable, find};

    fn character(source: &str) -> Option<&str> {
        match find(source)? {
            Unreadable::Character(span) => Some(&source[span.start..span.end]),
            Unreadable::List(_) => panic!("no list is too deep"),
        }
    }

    #[test]
    fn character_is_found_only_in_a_block_string() {
        for (source, found) in [
            ("\"\"\"a🌹\"\"\"", Some("🌹")),
            ("\"\"\"🌹", Some("🌹")),
            ("\"\"\"a\u{1}b\"\"\"", Some("\u{1}")),
            ("\"\"\"é\u{FFFF}\t\r\n\"\"\"", None),
            ("# 🌹 \"\"\"\ntype", None),
            ("\"🌹\" \"a\\\"🌹\" \"\"\"b\"\"\" \"🌹\"", None),
            ("\"\" \"\"\"a \\\"\"\" 🌹\"\"\"", Some("🌹")),
            ("\"\"\"a\"\"\" \"\"\"\"\"\" \"\"\"🌹\"\"\"", Some("🌹")),
            ("\"no end\n \"\"\"🌹\"\"\"", Some("🌹")),
            ("\"\"\"a\\\"\"\"", None),
            ("", None),
        ] {
            assert_eq!(character(source), found, "{source}");
        }
    }

    #[test]
    fn list_that_is_nested_too_deep_is_found() {
        let closed = |by: &str, times| format!("type A {{ a: Int{} }}", by.repeat(times));
        for by in ["]", "]!", " ]", "]#]\n", "],!\u{FEFF}"] {
            assert_eq!(find(&closed(by, 15)), None, "{by:?}");
            assert!(matches!(find(&closed(by, 16)), Some(Unreadable::List(_))), "{by:?}");
        }
        assert_eq!(find(&closed("] b: [Int", 40)), None);
    }
}
