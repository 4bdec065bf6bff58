//! The values of string literals (GraphQL specification, section 2.9.4).
//!
//! Read from the text of the SDL, because cynic-parser reads no character beyond U+FFFF; see `parse/prepare.rs`.

/// What starts and ends a block string.
pub(crate) const BLOCK_QUOTES: &str = "\"\"\"";
/// Block quotes inside a block string.
pub(crate) const ESCAPED_QUOTES: &str = "\\\"\"\"";

/// Returns the value of a literal, with its quotes, that `parse/prepare.rs` accepted.
pub(crate) fn decode(literal: &str) -> String {
    if let Some(block) = literal.strip_prefix(BLOCK_QUOTES) {
        return dedented(&block.strip_suffix(BLOCK_QUOTES).unwrap_or(block).replace(ESCAPED_QUOTES, BLOCK_QUOTES));
    }
    let mut rest = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(literal);
    let mut value = String::with_capacity(rest.len());
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        let (character, length) = escape(&rest[at..]).unwrap_or(('\\', 1));
        value.push(character);
        rest = &rest[at + length..];
    }
    value + rest
}

/// Returns the character of the escape at the start of `text`, and the length of the escape; `None` if there is no such
/// escape.
pub(crate) fn escape(text: &str) -> Option<(char, usize)> {
    let character = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{C}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return escaped_number(text),
        _ => return None,
    };
    Some((character, 2))
}

/// Reads `\u0041`, `\uD83C\uDF39` or `\u{1F339}`.
fn escaped_number(text: &str) -> Option<(char, usize)> {
    let number = |digits: &str| {
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    let four = |at: usize| text.get(at..at + 4).and_then(number);
    if let Some(rest) = text.strip_prefix("\\u{") {
        let digits = &rest[..rest.find('}').filter(|digits| *digits <= 8)?];
        return Some((char::from_u32(number(digits)?)?, "\\u{}".len() + digits.len()));
    }
    let first = four(2)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first)?, 6));
    }
    // A surrogate pair.
    let second = four(8).filter(|second| text[6..].starts_with("\\u") && (0xDC00..0xE000).contains(second))?;
    Some((char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))?, 12))
}

/// Returns the length of the literal at the start of `text`, which `parse/prepare.rs` accepted.
pub(crate) fn string_length(text: &str) -> usize {
    let (quotes, escaped) = if text.starts_with(BLOCK_QUOTES) { (BLOCK_QUOTES, ESCAPED_QUOTES) } else { ("\"", "\\") };
    let mut at = quotes.len();
    while let Some(next) = text.get(at..).and_then(|rest| rest.find(['"', '\\'])) {
        at += next;
        if text[at..].starts_with(quotes) {
            return at + quotes.len();
        }
        let is_escape = text[at..].starts_with(escaped);
        at += if !is_escape {
            1
        } else if escaped == ESCAPED_QUOTES {
            escaped.len()
        } else {
            2
        };
    }
    text.len()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns whether a line of a block string has only spaces and tabs.
pub(crate) fn is_blank(line: &&str) -> bool {
    indent(line) == line.len()
}

/// Returns the indentation that all lines of a block string but the first have in common.
pub(crate) fn common_indent(raw: &str) -> usize {
    raw.split('\n').skip(1).filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0)
}

/// Removes the common indentation of all lines but the first, and empty lines at both ends.
fn dedented(raw: &str) -> String {
    let raw = raw.replace("\r\n", "\n").replace('\r', "\n");
    let common = common_indent(&raw);
    let lines = raw.split('\n').enumerate();
    let lines: Vec<&str> =
        lines.map(|(at, line)| if at == 0 { line } else { line.get(common..).unwrap_or_default() }).collect();
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !is_blank(line)).map_or(first, |last| last + 1);
    lines[first..last].join("\n")
}

#[cfg(test)]
mod tests {
    use super::{decode, escape};

    #[test]
    fn string_has_the_value_of_the_specification() {
        for (literal, value) in [
            (r#""""#, ""),
            (r#""a \"b\" \\ \/ \t 🌹""#, "a \"b\" \\ / \t 🌹"),
            (r#""\u0041\uD83C\uDF39\u{1F339}x""#, "A🌹🌹x"),
            ("\"\"\"\"\"\"", ""),
            ("\"\"\"\n  a \\\"\"\"\n    b\\n\r\n\r  🌹\n \n\"\"\"", "a \"\"\"\n  b\\n\n\n🌹"),
            ("\"\"\" a\n    b\n  c\"\"\"", " a\n  b\nc"),
            // Only spaces and tabs are indentation.
            ("\"\"\"\n  a\n\u{A0}\u{A0}b\n\"\"\"", "  a\n\u{A0}\u{A0}b"),
        ] {
            assert_eq!(decode(literal), value, "{literal}");
        }
    }

    #[test]
    fn escape_of_no_character_is_none() {
        for text in
            ["\\", "\\x", "\\u12", "\\uD83C", "\\uD83C\\u0041", "\\uDF39", "\\u{}", "\\u{110000}", "\\u{", "\\u+041"]
        {
            assert_eq!(escape(text), None, "{text}");
        }
    }
}
