//! Splits a document into tokens with locations (GraphQL specification, section 2.1).
//!
//! Reads each byte once. Columns are counted in UTF-16 code units, as graphql-js and editors do.

use std::borrow::Cow;

use crate::error::{Location, Parsed, Problem, Span, SyntaxError};
use crate::string;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The end of the text.
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

/// Whether a byte can continue a name.
const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9');
        byte += 1;
    }
    table
};

/// The words of graphql-js for a number that lacks a digit.
const EXPECTED_DIGIT: &str = "expected digit but got:";

/// A text with its current token. After an error, [`Lexer::advance`] continues behind the token with the error.
pub struct Lexer<'a> {
    pub(crate) text: &'a str,
    pub(crate) token: Token,
    /// The start and end of the token, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The location of the token.
    pub(crate) at: Location,
    /// The value of a string.
    pub(crate) string: Cow<'a, str>,
    /// The line of the end of the token.
    pub(crate) line: u32,
    /// The byte position of column 1, as if every preceding character of the line were one byte.
    line_start: usize,
}

/// The start of a token, to which a lexer can return.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) start: usize,
    at: Location,
}

impl<'a> Lexer<'a> {
    /// Makes a lexer before the first token.
    pub fn new(text: &'a str) -> Self {
        Self::from_mark(text, Mark { start: 0, at: Location { line: 1, column: 1 } })
    }

    /// Makes a lexer before the token at `mark`.
    pub(crate) fn from_mark(text: &'a str, Mark { start, at }: Mark) -> Self {
        let (string, line_start) = (Cow::Borrowed(""), start + 1 - at.column as usize);
        Self { text, token: Token::End, start, end: start, at, string, line: at.line, line_start }
    }

    /// Returns the start of the token.
    pub(crate) fn mark(&self) -> Mark {
        Mark { start: self.start, at: self.at }
    }

    /// Returns the token.
    pub fn token(&self) -> Token {
        self.token
    }

    /// Returns the bytes of the token.
    #[inline]
    pub fn span(&self) -> Span {
        Span { start: self.start, end: self.end }
    }

    /// Returns the text of the token.
    #[inline]
    pub fn written(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    /// Reads the next token.
    pub fn advance(&mut self) -> Parsed<()> {
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
                return Err(self.no_number(at, end, "unexpected digit after 0:"));
            }
        } else {
            end = self.digits(at, end)?;
        }
        if byte(end) == b'.' {
            self.token = Token::Float;
            end = self.digits(at, end + 1)?;
        }
        if matches!(byte(end), b'e' | b'E') {
            self.token = Token::Float;
            end = self.digits(at, end + 1 + usize::from(matches!(byte(end + 1), b'+' | b'-')))?;
        }
        if matches!(CLASSES[usize::from(byte(end))], Class::Dot | Class::Name) {
            return Err(self.no_number(at, end, EXPECTED_DIGIT));
        }
        self.end = end;
        Ok(())
    }

    /// Skips at least one digit of the number at `start`.
    fn digits(&mut self, start: usize, at: usize) -> Parsed<usize> {
        let digits = self.text.as_bytes()[at.min(self.text.len())..].iter().take_while(|byte| byte.is_ascii_digit());
        match digits.count() {
            0 => Err(self.no_number(start, at, EXPECTED_DIGIT)),
            count => Ok(at + count),
        }
    }

    /// Returns the error of the number at `start`, of which graphql-js cannot read the byte `at`.
    #[cold]
    fn no_number(&mut self, start: usize, at: usize, what: &str) -> Box<SyntaxError> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_');
        let length = self.text.as_bytes()[start..].iter().position(|byte| !is_part(byte));
        self.end = length.map_or(self.text.len(), |length| start + length);
        let span = Span { start, end: self.end };
        let message = format!("Invalid number, {what} {}.", string::shown(self.text, at));
        SyntaxError::new(span, Location::of(self.text, at), Problem::Number, message)
    }

    #[inline(never)] // most tokens are names and punctuators
    fn string(&mut self, at: usize) -> Parsed<()> {
        let bytes = self.text.as_bytes();
        if bytes[at..].starts_with(b"\"\"\"") {
            self.token = Token::BlockString;
            let read = string::block(self.text, at).inspect_err(|_| self.end = self.text.len());
            (self.string, self.end) = read?;
            let mut from = at;
            while let Some(length) = bytes[from..self.end].iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
                from = self.new_line(from + length);
            }
            self.line_start += surplus(&bytes[from..self.end]);
        } else {
            self.token = Token::String;
            let text = self.text;
            let read =
                string::plain(text, at).inspect_err(|error| self.end = string::end_after_error(text, error.span.end));
            (self.string, self.end) = read?;
            self.line_start += surplus(&bytes[at..self.end]);
        }
        Ok(())
    }

    #[cold]
    fn unknown(&mut self, at: usize) -> Box<SyntaxError> {
        let length = self.text[at..].chars().next().map_or(0, char::len_utf8);
        self.end = at + length;
        self.line_start += surplus(&self.text.as_bytes()[at..self.end]);
        let message = match self.text.as_bytes()[at] {
            b'\'' => "Unexpected single quote character ('), did you mean to use a double quote (\")?".to_owned(),
            _ => format!("Unexpected character: {}.", string::shown(self.text, at)),
        };
        SyntaxError::lexical(self.text, Span { start: at, end: self.end }, Problem::Character, message)
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
        let (mut lexer, mut places) = (Lexer::new(text), vec![]);
        loop {
            lexer.advance().expect("the text has tokens");
            if lexer.token == Token::End {
                return places;
            }
            places.push((lexer.at.line, lexer.at.column));
        }
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
