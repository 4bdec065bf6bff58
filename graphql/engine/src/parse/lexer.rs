//! Splits a document into tokens with locations (GraphQL specification, section 2.1).
//!
//! Reads each byte once. Columns are counted in UTF-16 code units, as graphql-js and editors do.

use std::borrow::Cow;

use super::{Parsed, string, syntax};
use crate::error::{Location, RefusalError};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    End,
    /// One of `! $ & ( ) : = @ [ ] { | }`.
    Punctuator(u8),
    /// `...`.
    Spread,
    Name,
    Int,
    Float,
    String,
    BlockString,
}

/// The tokens that a byte can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Space,
    Line,
    Comment,
    Punctuator,
    Dot,
    Name,
    Number,
    Quote,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b',' => Class::Space,
            b'\n' | b'\r' => Class::Line,
            b'#' => Class::Comment,
            b'!' | b'$' | b'&' | b'(' | b')' | b':' | b'=' | b'@' | b'[' | b']' | b'{' | b'|' | b'}' => {
                Class::Punctuator
            }
            b'.' => Class::Dot,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => Class::Name,
            b'-' | b'0'..=b'9' => Class::Number,
            b'"' => Class::Quote,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Returns whether a byte can continue a name.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9');
        byte += 1;
    }
    table
};

/// A text with its current token.
pub(super) struct Lexer<'a> {
    pub text: &'a str,
    pub token: Token,
    /// The start and end of the token, in bytes.
    pub start: usize,
    pub end: usize,
    /// The location of the token.
    pub at: Location,
    /// The value of a string.
    pub string: Cow<'a, str>,
    line: u32,
    /// The byte position of column 1, as if every preceding character of the line were one byte.
    line_start: usize,
}

impl<'a> Lexer<'a> {
    /// Reads the first token.
    pub(super) fn new(text: &'a str) -> Parsed<Self> {
        let at = Location { line: 1, column: 1 };
        let string = Cow::Borrowed("");
        let mut lexer = Self { text, token: Token::End, start: 0, end: 0, at, string, line: 1, line_start: 0 };
        lexer.advance()?;
        Ok(lexer)
    }

    /// Returns the text of the token.
    #[inline]
    pub(super) fn written(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    /// Reads the next token.
    pub(super) fn advance(&mut self) -> Parsed<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.end;
        let class = loop {
            let Some(byte) = bytes.get(at) else {
                self.begin(at);
                self.token = Token::End;
                self.end = at;
                return Ok(());
            };
            match CLASSES[usize::from(*byte)] {
                Class::Space => at += 1,
                Class::Line => at = self.new_line(at),
                Class::Comment => at = self.comment(at),
                // A byte order mark is white space at any position.
                Class::Other if bytes[at..].starts_with("\u{feff}".as_bytes()) => {
                    self.line_start += 2;
                    at += 3;
                }
                class => break class,
            }
        };
        self.begin(at);
        match class {
            Class::Punctuator => {
                self.token = Token::Punctuator(bytes[at]);
                self.end = at + 1;
            }
            Class::Name => {
                let length = bytes[at..].iter().position(|byte| !IN_NAME[usize::from(*byte)]);
                self.token = Token::Name;
                self.end = length.map_or(bytes.len(), |length| at + length);
            }
            Class::Dot if bytes[at..].starts_with(b"...") => {
                self.token = Token::Spread;
                self.end = at + 3;
            }
            Class::Number => return self.number(at),
            Class::Quote => return self.string(at),
            _ => return Err(self.unknown(at)),
        }
        Ok(())
    }

    fn begin(&mut self, at: usize) {
        self.start = at;
        // A text is smaller than 4 GB, so both numbers fit.
        self.at = Location { line: self.line, column: (at - self.line_start) as u32 + 1 };
    }

    /// Skips a comment, which ends before a line terminator.
    #[inline(never)] // most documents have no comment
    fn comment(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let length = bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let end = length.map_or(bytes.len(), |length| at + length);
        self.line_start += surplus(&bytes[at..end]);
        end
    }

    /// Skips a line terminator of one or two bytes.
    #[inline(never)] // most white space is spaces
    fn new_line(&mut self, at: usize) -> usize {
        let end = at + if self.text.as_bytes()[at..].starts_with(b"\r\n") { 2 } else { 1 };
        self.line += 1;
        self.line_start = end;
        end
    }

    #[inline(never)] // most tokens are names and punctuators
    fn number(&mut self, at: usize) -> Parsed<()> {
        let bytes = self.text.as_bytes();
        let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
        let mut end = at + usize::from(byte(at) == b'-');
        self.token = Token::Int;
        if byte(end) == b'0' {
            end += 1;
            if byte(end).is_ascii_digit() {
                let digit = string::shown(self.text, end);
                return Err(syntax(format!("Invalid number, unexpected digit after 0: {digit}."), self.text, end));
            }
        } else {
            end = self.digits(end)?;
        }
        if byte(end) == b'.' {
            self.token = Token::Float;
            end = self.digits(end + 1)?;
        }
        if matches!(byte(end), b'e' | b'E') {
            self.token = Token::Float;
            end = self.digits(end + 1 + usize::from(matches!(byte(end + 1), b'+' | b'-')))?;
        }
        if matches!(CLASSES[usize::from(byte(end))], Class::Dot | Class::Name) {
            return Err(self.no_digit(end));
        }
        self.end = end;
        Ok(())
    }

    /// Skips at least one digit.
    fn digits(&self, at: usize) -> Parsed<usize> {
        let digits = self.text.as_bytes()[at.min(self.text.len())..].iter().take_while(|byte| byte.is_ascii_digit());
        match digits.count() {
            0 => Err(self.no_digit(at)),
            count => Ok(at + count),
        }
    }

    fn no_digit(&self, at: usize) -> Box<RefusalError> {
        let found = string::shown(self.text, at);
        syntax(format!("Invalid number, expected digit but got: {found}."), self.text, at)
    }

    #[inline(never)] // most tokens are names and punctuators
    fn string(&mut self, at: usize) -> Parsed<()> {
        let bytes = self.text.as_bytes();
        if bytes[at..].starts_with(b"\"\"\"") {
            self.token = Token::BlockString;
            (self.string, self.end) = string::block(self.text, at)?;
            let mut from = at;
            while let Some(length) = bytes[from..self.end].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
                from = self.new_line(from + length);
            }
            self.line_start += surplus(&bytes[from..self.end]);
        } else {
            self.token = Token::String;
            (self.string, self.end) = string::plain(self.text, at)?;
            self.line_start += surplus(&bytes[at..self.end]);
        }
        Ok(())
    }

    #[cold]
    fn unknown(&self, at: usize) -> Box<RefusalError> {
        let what = match self.text.as_bytes()[at] {
            b'\'' => "Unexpected single quote character ('), did you mean to use a double quote (\")?".to_owned(),
            _ => format!("Unexpected character: {}.", string::shown(self.text, at)),
        };
        syntax(what, self.text, at)
    }
}

/// Returns how many more bytes than UTF-16 code units a text has.
fn surplus(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return 0;
    }
    // Characters of two and three bytes are one unit, of four bytes two.
    let more = bytes.iter().filter(|byte| **byte & 0xC0 == 0x80).count();
    more - bytes.iter().filter(|byte| **byte >= 0xF0).count()
}

#[cfg(test)]
mod tests {
    use super::{Lexer, Token};

    fn places(text: &str) -> Vec<(u32, u32)> {
        let mut lexer = Lexer::new(text).expect("the text has tokens");
        let mut places = vec![];
        while lexer.token != Token::End {
            places.push((lexer.at.line, lexer.at.column));
            lexer.advance().expect("the text has tokens");
        }
        places
    }

    #[test]
    fn places_are_counted_in_lines_and_utf_16_units() {
        assert_eq!(places("a b\nc\r\nd\re"), [(1, 1), (1, 3), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(places("\u{feff}a"), [(1, 2)]);
        assert_eq!(places("\"é\" a \"🕯\" b"), [(1, 1), (1, 5), (1, 7), (1, 12)]);
        assert_eq!(places("#é🕯\n\"\"\"é\n🕯\"\"\" a"), [(2, 1), (3, 7)]);
    }

    #[test]
    fn brackets_in_strings_and_comments_are_none() {
        let text = "{a(b:\"[{\\\"(\" c:\"\"\"[\\\"\"\"{\"\"\")} # [[[\n}";
        assert_eq!(places(text).len(), 12);
    }
}
