//! Parses strings and block strings (GraphQL specification, section 2.9.4).

use std::borrow::Cow;

use crate::error::{Location, Parsed, Problem, Span, SyntaxError};

/// Returns the value of a literal, with its quotes, that the lexer accepted.
pub(crate) fn value(literal: &str) -> Cow<'_, str> {
    let read = if literal.starts_with("\"\"\"") { block } else { plain };
    read(literal, 0).expect("the lexer accepted it").0
}

/// Returns the value of the string at `start`, and the position after its closing quote.
pub(crate) fn plain(text: &str, start: usize) -> Parsed<(Cow<'_, str>, usize)> {
    let bytes = text.as_bytes();
    let (mut at, mut copied) = (start + 1, start + 1);
    let mut value = String::new();
    loop {
        match bytes.get(at) {
            Some(b'"') => break,
            Some(b'\\') => {
                value.push_str(&text[copied..at]);
                let (character, length) = escape(text, at)?;
                value.push(character);
                at += length;
                copied = at;
            }
            None | Some(b'\n' | b'\r') => return Err(unterminated(text, start, at)),
            Some(_) => at += 1,
        }
    }
    let rest = &text[copied..at];
    if copied == start + 1 {
        return Ok((Cow::Borrowed(rest), at + 1));
    }
    value.push_str(rest);
    Ok((Cow::Owned(value), at + 1))
}

/// Returns the end of the string that has an error before the byte `at`: after its quote, or at the end of the line.
pub(crate) fn end_after_error(text: &str, mut at: usize) -> usize {
    loop {
        match text.as_bytes().get(at) {
            None | Some(b'\n' | b'\r') => return at,
            Some(b'"') => return at + 1,
            Some(b'\\') if !matches!(text.as_bytes().get(at + 1), None | Some(b'\n' | b'\r')) => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Returns the error of a string without an end, whose text is read up to `end`.
#[cold]
fn unterminated(text: &str, start: usize, end: usize) -> Box<SyntaxError> {
    let line = text[start..end].lines().next().map_or(0, str::len);
    let span = Span { start, end: start + line };
    SyntaxError::new(span, Location::of(text, end), Problem::Unterminated, "Unterminated string.")
}

/// Returns the character of the escape sequence at `at`, and the length of the sequence.
fn escape(text: &str, at: usize) -> Parsed<(char, usize)> {
    let escaped = match text.as_bytes().get(at + 1) {
        Some(b'u') => return unicode(&text[at + 2..]).map_err(|length| no_escape(text, at, length, "Unicode")),
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        _ => {
            return Err(no_escape(text, at, 2, "character"));
        }
    };
    Ok((escaped, 2))
}

/// Returns the character of a `\u` escape and the length of the sequence, or how much of it was read.
fn unicode(number: &str) -> Result<(char, usize), usize> {
    let bytes = number.as_bytes();
    if bytes.first() == Some(&b'{') {
        // At most eight digits.
        let digits = bytes[1..].iter().take(9).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let closed = bytes.get(1 + digits) == Some(&b'}') && (1..=8).contains(&digits);
        let character = hex(&bytes[1..=digits]).and_then(char::from_u32);
        return match character {
            Some(character) if closed => Ok((character, digits + 4)),
            _ => Err((digits + 4).min(12)),
        };
    }
    let first = four(bytes).ok_or(6_usize)?;
    if let Some(character) = char::from_u32(first) {
        return Ok((character, 6));
    }
    // A surrogate pair.
    let second = bytes.get(4..).and_then(|rest| rest.strip_prefix(b"\\u")).and_then(four).ok_or(6_usize)?;
    let mut decoded = char::decode_utf16([first as u16, second as u16]);
    match (decoded.next(), decoded.next()) {
        (Some(Ok(character)), None) => Ok((character, 12)),
        _ => Err(6),
    }
}

fn four(bytes: &[u8]) -> Option<u32> {
    bytes.get(..4).and_then(hex)
}

fn hex(digits: &[u8]) -> Option<u32> {
    let digit = |sum: u32, digit: &u8| Some(sum.checked_mul(16)? + char::from(*digit).to_digit(16)?);
    digits.iter().try_fold(0, digit)
}

/// Returns the error of an escape sequence of `length` characters.
#[cold]
fn no_escape(text: &str, at: usize, length: usize, what: &str) -> Box<SyntaxError> {
    let sequence: String = text[at..].chars().take(length).collect();
    let span = Span { start: at, end: at + sequence.lines().next().map_or(1, str::len) };
    SyntaxError::lexical(text, span, Problem::Escape, format!("Invalid {what} escape sequence: \"{sequence}\"."))
}

/// Returns the value of the block string at `start`, and the position after its closing quotes.
pub(crate) fn block(text: &str, start: usize) -> Parsed<(Cow<'_, str>, usize)> {
    let bytes = text.as_bytes();
    let (mut at, mut escaped) = (start + 3, false);
    loop {
        match bytes.get(at) {
            None => return Err(unterminated(text, start, at)),
            Some(b'"') if bytes[at..].starts_with(b"\"\"\"") => break,
            Some(b'\\') if bytes[at..].starts_with(b"\\\"\"\"") => {
                escaped = true;
                at += 4;
            }
            Some(_) => at += 1,
        }
    }
    let raw = &text[start + 3..at];
    let value = if escaped { Cow::Owned(raw.replace("\\\"\"\"", "\"\"\"")) } else { Cow::Borrowed(raw) };
    Ok((Cow::Owned(dedented(&value)), at + 3))
}

/// Removes the common indentation, and empty lines at both ends.
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

/// Returns the indentation that all lines of a block string but the first have in common.
pub fn common_indent(raw: &str) -> usize {
    raw.split('\n').skip(1).filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0)
}

/// Returns whether a line of a block string has only spaces and tabs.
pub fn is_blank(line: &str) -> bool {
    indent(line) == line.len()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the character at `at` as error messages show it.
pub(crate) fn shown(text: &str, at: usize) -> String {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => "<EOF>".to_owned(),
        Some('"') => "'\"'".to_owned(),
        Some(character @ ' '..='~') => format!("\"{character}\""),
        Some(character) => format!("U+{:04X}", u32::from(character)),
    }
}

#[cfg(test)]
mod tests {
    use super::{plain, value};

    #[test]
    fn string_has_the_value_of_the_specification() {
        for (literal, expected) in [
            (r#""""#, ""),
            (r#""a \"b\" \\ \/ \t 🌹""#, "a \"b\" \\ / \t 🌹"),
            (r#""\u0041\uD83C\uDF39\u{1F339}x""#, "A🌹🌹x"),
            ("\"\"\"\"\"\"", ""),
            ("\"\"\"\n  a \\\"\"\"\n    b\\n\r\n\r  🌹\n \n\"\"\"", "a \"\"\"\n  b\\n\n\n🌹"),
            ("\"\"\" a\n    b\n  c\"\"\"", " a\n  b\nc"),
            // Only spaces and tabs are indentation.
            ("\"\"\"\n  a\n\u{A0}\u{A0}b\n\"\"\"", "  a\n\u{A0}\u{A0}b"),
        ] {
            assert_eq!(value(literal), expected, "{literal}");
        }
    }

    #[test]
    fn numbers_that_are_no_character_are_refused() {
        let escapes = ["\\uD83D", "\\uD83D\\u0041", "\\u{110000}", "\\u{", "\\u{}", "\\u12", "\\u{D83D}", "\\x", "\\"];
        let escapes = escapes.map(|escape| format!("\"{escape}\""));
        for text in escapes.iter().map(String::as_str).chain(["\"\\u", "\"\\u{000000041}\"", "\"a\nb\""]) {
            assert!(plain(text, 0).is_err(), "{text}");
        }
    }
}
