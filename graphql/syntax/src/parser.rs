//! Parses what executable documents and type system documents share: names, values, types, arguments, directives.
//!
//! Each level of recursion opens a bracket, and the number of open brackets is limited, as is the number of directives. Errors have
//! the messages of graphql-js for users of an API, and the words of the specification for its designers ([`Problem`]).

use crate::error::{Location, Parsed, Problem, Span, SyntaxError};
use crate::lexer::{Lexer, Token};
use crate::node::{Argument, Directive, Literal, Name, ObjectField, Type, Value, Wrap};

/// A parser by recursive descent, in one pass.
pub struct Parser<'a> {
    pub(crate) lexer: Lexer<'a>,
    open_max: usize,
    /// The number of open brackets.
    pub(crate) open: usize,
    directives_max: usize,
    /// The number of directives so far.
    directives: usize,
    /// The errors after which parsing went on.
    pub(crate) errors: Vec<SyntaxError>,
}

impl<'a> Parser<'a> {
    /// Makes a parser before the first token of `text`, which may nest `open_max` brackets. Directives after `directives_max` are
    /// only counted.
    pub fn new(text: &'a str, open_max: usize, directives_max: usize) -> Self {
        Self { lexer: Lexer::new(text), open_max, open: 0, directives_max, directives: 0, errors: vec![] }
    }

    /// Returns the number of directives so far.
    pub fn directive_count(&self) -> usize {
        self.directives
    }

    /// Returns the current token.
    #[inline]
    pub fn token(&self) -> Token {
        self.lexer.token
    }

    /// Returns the location of the current token.
    #[inline]
    pub fn at(&self) -> Location {
        self.lexer.at
    }

    /// Goes to the next token.
    #[inline]
    pub fn advance(&mut self) -> Parsed<()> {
        self.lexer.advance()
    }

    /// Returns whether the token is `punctuator`.
    #[inline]
    pub fn peek(&self, punctuator: u8) -> bool {
        self.lexer.token == Token::Punctuator(punctuator)
    }

    /// Returns the text of a name; empty for another token.
    #[inline]
    pub fn word(&self) -> &'a str {
        if self.lexer.token == Token::Name { self.lexer.written() } else { "" }
    }

    /// Returns whether the token is the name `word`.
    #[inline]
    pub fn keyword(&self, word: &str) -> bool {
        self.word() == word
    }

    /// Returns whether the token is a string.
    #[inline]
    pub fn peek_string(&self) -> bool {
        matches!(self.lexer.token, Token::String | Token::BlockString)
    }

    /// Skips `punctuator`, and returns whether it was there.
    #[inline]
    pub fn optional(&mut self, punctuator: u8) -> Parsed<bool> {
        let found = self.peek(punctuator);
        if found {
            self.lexer.advance()?;
        }
        Ok(found)
    }

    /// Skips `punctuator`.
    pub fn expect(&mut self, punctuator: u8) -> Parsed<()> {
        if self.optional(punctuator)? { Ok(()) } else { Err(self.expected(&quoted(punctuator), "")) }
    }

    /// Skips an opening bracket, within the limit.
    pub fn open(&mut self, bracket: u8) -> Parsed<()> {
        self.open += 1;
        if self.open > self.open_max {
            let (span, max) = (self.lexer.span(), self.open_max);
            return Err(SyntaxError::new(span, self.lexer.at, Problem::TooDeep { max }, "Nested too deep."));
        }
        self.expect(bracket)
    }

    /// Skips a closing bracket, and returns whether it was there.
    #[inline]
    pub fn close(&mut self, bracket: u8) -> Parsed<bool> {
        let closed = self.optional(bracket)?;
        self.open -= usize::from(closed);
        Ok(closed)
    }

    /// Parses a name.
    #[inline]
    pub fn name(&mut self) -> Parsed<Name<'a>> {
        self.name_of("a name")
    }

    /// Parses the name of `what`, such as "a type".
    #[inline]
    pub(crate) fn name_of(&mut self, what: &str) -> Parsed<Name<'a>> {
        if self.lexer.token != Token::Name {
            return Err(self.expected("Name", what));
        }
        let name = Name { text: self.lexer.written(), at: self.lexer.at, span: self.lexer.span() };
        self.lexer.advance()?;
        Ok(name)
    }

    /// Parses a value; variables are allowed unless it is `constant`.
    pub fn value(&mut self, constant: bool) -> Parsed<Value<'a>> {
        let (at, span) = (self.lexer.at, self.lexer.span());
        let literal = match self.lexer.token {
            Token::Punctuator(b'[') => return self.list(constant),
            Token::Punctuator(b'{') => return self.object(constant),
            Token::Punctuator(b'$') if constant => return Err(self.variable_in_constant()),
            Token::Punctuator(b'$') => {
                self.lexer.advance()?;
                let name = self.name()?;
                let span = Span { start: span.start, end: name.span.end };
                return Ok(Value { at, span, literal: Literal::Variable(name.text) });
            }
            Token::Int => Literal::Int(self.lexer.written()),
            Token::Float => Literal::Float(self.lexer.written()),
            Token::String | Token::BlockString => Literal::String(std::mem::take(&mut self.lexer.string)),
            Token::Name => match self.lexer.written() {
                "true" => Literal::Boolean(true),
                "false" => Literal::Boolean(false),
                "null" => Literal::Null,
                name => Literal::Enum(name),
            },
            _ => return Err(self.unexpected("a value")),
        };
        self.lexer.advance()?;
        Ok(Value { at, span, literal })
    }

    #[cold]
    fn variable_in_constant(&mut self) -> Box<SyntaxError> {
        let mut error = self.unexpected("a value, which is no variable");
        if let Err(error) = self.lexer.advance() {
            return error;
        }
        if self.lexer.token == Token::Name {
            error.text = format!("Unexpected variable \"${}\" in constant value.", self.lexer.written());
        }
        error
    }

    fn list(&mut self, constant: bool) -> Parsed<Value<'a>> {
        let (at, start, mut items) = (self.lexer.at, self.lexer.start, vec![]);
        self.open(b'[')?;
        loop {
            let end = self.lexer.end;
            if self.close(b']')? {
                return Ok(Value { at, span: Span { start, end }, literal: Literal::List(items) });
            }
            items.push(self.value(constant)?);
        }
    }

    fn object(&mut self, constant: bool) -> Parsed<Value<'a>> {
        let (at, start, mut fields) = (self.lexer.at, self.lexer.start, vec![]);
        self.open(b'{')?;
        loop {
            let end = self.lexer.end;
            if self.close(b'}')? {
                return Ok(Value { at, span: Span { start, end }, literal: Literal::Object(fields) });
            }
            let name = self.name_of("a field or `}`")?;
            self.expect(b':')?;
            fields.push(ObjectField { name, value: self.value(constant)? });
        }
    }

    /// Parses a type without recursion.
    pub fn ty(&mut self) -> Parsed<Type<'a>> {
        let (at, start, mut lists) = (self.lexer.at, self.lexer.start, 0);
        while self.peek(b'[') {
            self.open(b'[')?;
            lists += 1;
        }
        let name = self.name_of("a type")?;
        let (mut end, mut wrap) = (name.span.end, vec![]);
        self.non_null(&mut end, &mut wrap)?;
        for _ in 0..lists {
            end = self.lexer.end;
            if !self.close(b']')? {
                return Err(self.expected(&quoted(b']'), ""));
            }
            wrap.push(Wrap::List);
            self.non_null(&mut end, &mut wrap)?;
        }
        wrap.reverse();
        Ok(Type { at, span: Span { start, end }, wrap, name })
    }

    #[inline]
    fn non_null(&mut self, end: &mut usize, wrap: &mut Vec<Wrap>) -> Parsed<()> {
        if self.peek(b'!') {
            *end = self.lexer.end;
            self.lexer.advance()?;
            wrap.push(Wrap::NonNull);
        }
        Ok(())
    }

    /// Parses the arguments of a field or directive, if it has any.
    #[inline]
    pub fn arguments(&mut self, constant: bool) -> Parsed<Vec<Argument<'a>>> {
        if self.peek(b'(') { Ok(self.given_arguments(constant)?.0) } else { Ok(vec![]) }
    }

    /// Parses arguments; returns the end of their bracket too.
    fn given_arguments(&mut self, constant: bool) -> Parsed<(Vec<Argument<'a>>, usize)> {
        self.open(b'(')?;
        let mut arguments = Vec::with_capacity(1);
        loop {
            let name = self.name_of("an argument")?;
            self.expect(b':')?;
            arguments.push(Argument { name, value: self.value(constant)? });
            let end = self.lexer.end;
            if self.close(b')')? {
                return Ok((arguments, end));
            }
        }
    }

    /// Parses directives, if there are any.
    #[inline]
    pub fn directives(&mut self, constant: bool) -> Parsed<Vec<Directive<'a>>> {
        if self.peek(b'@') { self.given_directives(constant) } else { Ok(vec![]) }
    }

    fn given_directives(&mut self, constant: bool) -> Parsed<Vec<Directive<'a>>> {
        let mut directives = vec![];
        while self.peek(b'@') {
            let (at, start) = (self.lexer.at, self.lexer.start);
            self.lexer.advance()?;
            let name = self.name_of("the name of a directive")?;
            let (arguments, end) =
                if self.peek(b'(') { self.given_arguments(constant)? } else { (vec![], name.span.end) };
            self.directives += 1;
            if self.directives <= self.directives_max {
                directives.push(Directive { at, span: Span { start, end }, name, arguments });
            }
        }
        Ok(directives)
    }

    /// Returns the error of a token in the place of `what`, in words of graphql-js; `words` are for designers, by default the same.
    #[cold]
    pub fn expected(&self, what: &str, words: &str) -> Box<SyntaxError> {
        let words = if words.is_empty() { what.replace('"', "`") } else { words.to_owned() };
        self.error(format!("Expected {what}, found {}.", self.found()), words)
    }

    /// Returns the error of a token where the grammar has `expected`, of which graphql-js says only that it is not expected.
    #[cold]
    pub fn unexpected(&self, expected: &str) -> Box<SyntaxError> {
        self.error(format!("Unexpected {}.", self.found()), expected.to_owned())
    }

    /// Returns an error with a message and a location of graphql-js.
    #[cold]
    pub fn error_at(&self, at: Location, text: &str) -> Box<SyntaxError> {
        SyntaxError::new(self.lexer.span(), at, Problem::Token { expected: String::new() }, text)
    }

    /// Returns the error of the current token.
    #[cold]
    pub(crate) fn error(&self, text: String, expected: String) -> Box<SyntaxError> {
        SyntaxError::new(self.lexer.span(), self.lexer.at, Problem::Token { expected }, text)
    }

    /// Returns the token as error messages show it.
    fn found(&self) -> String {
        let written = self.lexer.written();
        match self.lexer.token {
            Token::End => "<EOF>".to_owned(),
            Token::Punctuator(byte) => quoted(byte),
            Token::Spread => "\"...\"".to_owned(),
            Token::Name => format!("Name \"{written}\""),
            Token::Int => format!("Int \"{written}\""),
            Token::Float => format!("Float \"{written}\""),
            Token::String => format!("String \"{}\"", self.lexer.string),
            Token::BlockString => format!("BlockString \"{}\"", self.lexer.string),
        }
    }
}

fn quoted(punctuator: u8) -> String {
    format!("\"{}\"", char::from(punctuator))
}
