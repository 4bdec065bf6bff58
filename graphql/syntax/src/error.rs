//! Places in a text, and the error of a text that does not have the syntax of GraphQL.

use std::fmt;

/// A range of bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

/// A location in a text, both counted from 1; columns in UTF-16 code units, as editors and graphql-js count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Location {
    /// Returns the location of the byte `at` of `text`. Counts from the start of the text, for errors that occur once.
    #[cold]
    pub(crate) fn of(text: &str, at: usize) -> Self {
        let mut place = Self { line: 1, column: 1 };
        let mut characters = text.get(..at).unwrap_or(text).chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\r' if characters.peek() == Some(&'\n') => {}
                '\n' | '\r' => place = Self { line: place.line + 1, column: 1 },
                character => place.column += character.len_utf16() as u32,
            }
        }
        place
    }
}

/// A result of parsing. An error is boxed, so that a result without one is small.
pub type Parsed<T> = Result<T, Box<SyntaxError>>;

/// Why a text cannot be parsed. `Display` writes the message of graphql-js.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The tokens that the error is about.
    pub span: Span,
    /// The location that graphql-js gives.
    pub at: Location,
    /// The kind of the error.
    pub problem: Problem,
    /// The message of graphql-js without `Syntax Error: `.
    pub(crate) text: String,
}

/// The kind of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A character that begins no token.
    Character,
    /// A number has no digit where it needs one, or begins with 0.
    Number,
    /// A string without an end.
    Unterminated,
    /// No escape sequence of a string.
    Escape,
    /// A token, or the end of the text, where something else is `expected`.
    Token {
        /// What the grammar has there, such as "a name" or "`(` or `:`".
        expected: String,
    },
    /// A bracket deeper than `max` others.
    TooDeep {
        /// The number of brackets that may be open.
        max: usize,
    },
    /// A bracket that is open at `end`, where its definition ends.
    NeverClosed {
        /// The end of the last token of the definition.
        end: usize,
    },
    /// A description of an extension, which has none.
    ExtensionDescription,
    /// A type system document without definitions.
    EmptyDocument,
}

impl SyntaxError {
    /// Makes an error with the message and location of graphql-js.
    #[cold]
    pub(crate) fn new(span: Span, at: Location, problem: Problem, text: impl Into<String>) -> Box<Self> {
        Box::new(Self { span, at, problem, text: text.into() })
    }

    /// Makes an error of the token whose location is the start of its span.
    #[cold]
    pub(crate) fn lexical(text: &str, span: Span, problem: Problem, message: impl Into<String>) -> Box<Self> {
        Self::new(span, Location::of(text, span.start), problem, message)
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Syntax Error: {}", self.text)
    }
}

impl std::error::Error for SyntaxError {}
