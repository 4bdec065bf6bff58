//! Prepares a text for cynic-parser. Its lexer calls itself for each character of a string and between two tokens, and
//! panics on some input that GraphQL allows (`graphql/schema/tests/hostile.rs`).
//!
//! The result has its tokens at the same bytes, but strings without their contents, which
//! [`crate::string_value::decode`] reads from the text, and one comment for all that lies between two tokens.

use crate::diagnostic::{Diagnostic, Span, not_utf8};
use crate::string_value::{BLOCK_QUOTES, ESCAPED_QUOTES, escape};

/// The number of lists in each other; the parser panics beyond it.
const LISTS_MAX: usize = 15;
/// The number of brackets of any kind in each other.
pub const DEPTH_MAX: usize = 64;
/// The characters of a number, which the lexer reads recursively: more than the largest `Float` has.
const NUMBER_LENGTH_MAX: usize = 400;
/// An escape, which the lexer reads as one token.
const FILLER: &str = "\\t";

/// Returns `source` in the form that the parser reads, or the first error of a token.
pub(super) fn prepare(source: &str) -> Result<String, Box<Diagnostic>> {
    if let Some(error) = not_utf8(source) {
        return Err(error.into());
    }
    let mut text = String::with_capacity(source.len());
    let (mut at, mut lists, mut open, mut previous) = (0, 0, vec![], ' ');
    while let Some(next) = source[at..].chars().next() {
        let rest = &source[at..];
        let blank = blank_length(rest);
        if blank > 0 {
            push_blank(&mut text, blank);
            at += blank;
            continue;
        }
        match next {
            ']' => lists += 1,
            '!' => {}
            _ => lists = 0,
        }
        // The parser lets these through. It reports every other bracket without its pair.
        match next {
            '{' | '[' | '(' => open.push(next),
            ']' | '}' | ')' if (open.pop() == Some('[')) != (next == ']') => {
                return Err(error(at, 1, "this bracket closes another one than was opened", "no pair").into());
            }
            ')' if previous == '(' => {
                return Err(error(at, 1, "there is nothing between these brackets", "leave them out").into());
            }
            '!' if previous == '!' => return Err(error(at, 1, "`!` is given twice", "one too many").into()),
            '\u{C}' => return Err(error(at, 1, "this control character is not allowed", "cannot be read").into()),
            _ => {}
        }
        previous = next;
        if lists > LISTS_MAX {
            return Err(error(at, 1, "more than 15 lists lie in each other", "one too many").into());
        }
        if open.len() > DEPTH_MAX {
            return Err(error(at, 1, "more than 64 brackets lie in each other", "one too many").into());
        }
        let length = match next {
            '"' => {
                let length = string(rest, at)?;
                let quotes = if rest.starts_with(BLOCK_QUOTES) { BLOCK_QUOTES } else { "\"" };
                push_string(&mut text, quotes, length);
                at += length;
                continue;
            }
            '-' | '0'..='9' => number(rest, at)?,
            _ => next.len_utf8(),
        };
        text.push_str(&rest[..length]);
        at += length;
    }
    Ok(text)
}

fn error(at: usize, length: usize, message: &str, label: &str) -> Diagnostic {
    Diagnostic::new(Span { start: at, end: at + length }, message, label)
}

/// Returns the length of the white space, commas and comments at the start of `text`.
fn blank_length(text: &str) -> usize {
    let mut rest = text;
    loop {
        let before = rest.len();
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n', ',', '\u{FEFF}']);
        if rest.starts_with('#') {
            rest = &rest[rest.find(['\n', '\r']).unwrap_or(rest.len())..];
        }
        if rest.len() == before {
            return text.len() - rest.len();
        }
    }
}

/// Adds one comment of this length.
fn push_blank(text: &mut String, length: usize) {
    match length {
        1 => text.push(' '),
        _ => {
            text.push('#');
            text.extend(std::iter::repeat_n(' ', length - 2));
            text.push('\n');
        }
    }
}

/// Adds a string of this length.
fn push_string(text: &mut String, quotes: &str, length: usize) {
    let inner = length - 2 * quotes.len();
    text.push_str(quotes);
    text.extend(std::iter::repeat_n(FILLER, inner / FILLER.len()));
    text.extend(std::iter::repeat_n(' ', inner % FILLER.len()));
    text.push_str(quotes);
}

/// Returns the length of the string at the start of `text`, which is at the byte `start` of the file.
fn string(text: &str, start: usize) -> Result<usize, Box<Diagnostic>> {
    let is_block = text.starts_with(BLOCK_QUOTES);
    let quotes = if is_block { BLOCK_QUOTES } else { "\"" };
    let mut at = quotes.len();
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        at += match next {
            '"' if rest.starts_with(quotes) => return Ok(at + quotes.len()),
            '\n' | '\r' if !is_block => break,
            '\\' if is_block && rest.starts_with(ESCAPED_QUOTES) => ESCAPED_QUOTES.len(),
            '\\' if !is_block => match escape(rest) {
                Some((_, length)) => length,
                None => {
                    let length = 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
                    let help = r#"the escapes are \" \\ \/ \b \f \n \r \t \u0041 and \u{41}"#.to_owned();
                    return Err(error(start + at, length, "there is no such escape", "cannot be read")
                        .help(help)
                        .into());
                }
            },
            '\t' | '\n' | '\r' | ' '.. => next.len_utf8(),
            _ => {
                let message = "this control character is not allowed in a string";
                return Err(error(start + at, 1, message, "cannot be read").into());
            }
        };
    }
    let help = format!("end it with `{quotes}`; write a text of several lines between `{BLOCK_QUOTES}`");
    let shown = text.lines().next().map_or(quotes.len(), str::len);
    Err(error(start, shown, "this string has no end", "cannot be read").help(help).into())
}

/// Returns the length of the number at the start of `text`, which is at the byte `start` of the file.
fn number(text: &str, start: usize) -> Result<usize, Box<Diagnostic>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '_');
    let number = &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())];
    let is_integer = number.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    let message = match () {
        () if number.len() > NUMBER_LENGTH_MAX => "this number has more than 400 characters",
        () if is_integer && number.len() > 1 && number.parse::<i64>().is_err() => "this number is not within 64 bits",
        () => return Ok(number.len()),
    };
    Err(error(start, number.len(), message, "too long").into())
}
