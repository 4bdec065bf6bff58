//! Parses executable documents by recursive descent, in one pass (GraphQL specification, section 2), and the SDL of a version
//! ([`sdl`]).
//!
//! Each level of recursion opens a bracket, and the number of open brackets is limited, as is the number of directives. Errors have
//! the texts of graphql-js. The parser refuses a document with type definitions, and graphql-js does so in its rule
//! ExecutableDefinitions.

mod lexer;
mod sdl;
mod string;
mod value;

use std::cell::Cell;

use schema::model::Wrap;

use super::ast::{
    Argument, Directive, Document, Field, Fragment, Inline, Name, Operation, OperationKind, Selection, SelectionSet,
    Spread, Type, Variable,
};
use super::code;
use super::error::{Location, Message, RefusalError};
use super::limit::{Limits, exceeded};
use lexer::{Lexer, Token};
pub(super) use sdl::{Sdl, parse_sdl, string_value};

/// An error is boxed, so that a result without one is small.
type Parsed<T> = Result<T, Box<RefusalError>>;

/// Parses a document.
pub(super) fn parse<'a>(text: &'a str, limits: &Limits) -> Parsed<Document<'a>> {
    if text.len() > limits.document_bytes_max {
        let (bytes, max) = (text.len(), limits.document_bytes_max);
        return Err(exceeded(format!("The document has {bytes} bytes; at most {max} are allowed.")).into());
    }
    let mut parser = Parser {
        lexer: Lexer::new(text)?,
        nesting_max: limits.nesting_max,
        open: 0,
        directives_max: limits.directives_max,
        directives: 0,
    };
    let mut document = Document::default();
    loop {
        parser.definition(&mut document)?;
        if parser.lexer.token == Token::End {
            break;
        }
    }
    if parser.directives > limits.directives_max {
        let (directives, max) = (parser.directives, limits.directives_max);
        return Err(exceeded(format!("The document has {directives} directives; at most {max} are allowed.")).into());
    }
    Ok(document)
}

/// Returns a syntax error at the byte `at`.
#[cold]
fn syntax(what: impl AsRef<str>, text: &str, at: usize) -> Box<RefusalError> {
    syntax_error_at(what.as_ref(), Location::of(text, at))
}

#[cold]
fn syntax_error_at(what: &str, at: Location) -> Box<RefusalError> {
    Box::new(RefusalError::new(code::GRAPHQL_PARSE_FAILED, format!("Syntax Error: {what}")).at(at))
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    nesting_max: usize,
    /// The number of open brackets.
    open: usize,
    directives_max: usize,
    /// The number of directives so far.
    directives: usize,
}

impl<'a> Parser<'a> {
    fn definition(&mut self, document: &mut Document<'a>) -> Parsed<()> {
        let at = self.lexer.at;
        if self.peek(b'{') {
            let (kind, name) = (OperationKind::Query, None);
            let set = self.selection_set()?;
            document.operations.push(Operation { at, kind, name, variables: vec![], directives: vec![], set });
            return Ok(());
        }
        let described = self.skip_description()?;
        let word = if self.lexer.token == Token::Name { self.lexer.written() } else { "" };
        let kind = match word {
            "query" => OperationKind::Query,
            "mutation" => OperationKind::Mutation,
            "subscription" => OperationKind::Subscription,
            "fragment" => return self.fragment(at, document),
            _ if self.is_definition_of_schema() || (word == "extend" && !described) => {
                return Err(self.not_executable(at));
            }
            _ if described && self.peek(b'{') => {
                let what = "Unexpected description, descriptions are not supported on shorthand queries.";
                return Err(syntax_error_at(what, at));
            }
            _ if described && self.lexer.token == Token::Name => {
                let what = "Unexpected description, only GraphQL definitions support descriptions.";
                return Err(syntax_error_at(what, at));
            }
            _ => return Err(self.unexpected()),
        };
        self.lexer.advance()?;
        let name = if self.lexer.token == Token::Name { Some(self.name()?) } else { None };
        let variables = self.variables()?;
        let directives = self.directives(false)?;
        let set = self.selection_set()?;
        document.operations.push(Operation { at, kind, name, variables, directives, set });
        Ok(())
    }

    /// Returns the error for a type system definition. The text after its name is not parsed.
    #[cold]
    fn not_executable(&mut self, at: Location) -> Box<RefusalError> {
        self.not_executable_named(at).unwrap_or_else(|error| error)
    }

    fn not_executable_named(&mut self, at: Location) -> Parsed<Box<RefusalError>> {
        if self.keyword("extend") {
            self.lexer.advance()?;
            if !self.is_definition_of_schema() {
                return Err(self.unexpected());
            }
        }
        let is_schema = self.keyword("schema");
        self.lexer.advance()?;
        self.optional(b'@')?;
        let what = if is_schema { "schema".to_owned() } else { format!("\"{}\"", self.name()?.text) };
        let detail = format!("The {what} definition is not executable.");
        Ok(Box::new(RefusalError::new(code::GRAPHQL_PARSE_FAILED, detail).at(at)))
    }

    fn is_definition_of_schema(&self) -> bool {
        const KEYWORDS: [&str; 8] = ["schema", "scalar", "type", "interface", "union", "enum", "input", "directive"];
        KEYWORDS.into_iter().any(|word| self.keyword(word))
    }

    fn fragment(&mut self, at: Location, document: &mut Document<'a>) -> Parsed<()> {
        self.lexer.advance()?;
        if self.keyword("on") {
            return Err(self.unexpected());
        }
        let name = self.name()?;
        if !self.keyword("on") {
            return Err(self.expected("\"on\""));
        }
        self.lexer.advance()?;
        let on = self.name()?;
        let directives = self.directives(false)?;
        let set = self.selection_set()?;
        document.by_name.add(name.text, document.fragments.len());
        document.fragments.push(Fragment { at, name, on, directives, set });
        Ok(())
    }

    fn variables(&mut self) -> Parsed<Vec<Variable<'a>>> {
        let mut variables = vec![];
        if self.peek(b'(') {
            self.open(b'(')?;
            loop {
                variables.push(self.variable()?);
                if self.close(b')')? {
                    break;
                }
            }
        }
        Ok(variables)
    }

    fn variable(&mut self) -> Parsed<Variable<'a>> {
        let at = self.lexer.at;
        self.skip_description()?;
        self.expect(b'$')?;
        let name = self.name()?;
        self.expect(b':')?;
        let ty = self.ty()?;
        let default = if self.optional(b'=')? { Some(self.value(true)?) } else { None };
        let directives = self.directives(true)?;
        Ok(Variable { at, name, ty, default, directives })
    }

    /// Parses a type without recursion.
    fn ty(&mut self) -> Parsed<Type<'a>> {
        let (at, mut lists) = (self.lexer.at, 0);
        while self.peek(b'[') {
            self.open(b'[')?;
            lists += 1;
        }
        let name = self.name()?;
        let mut wrap = vec![];
        if self.optional(b'!')? {
            wrap.push(Wrap::NonNull);
        }
        for _ in 0..lists {
            self.expect(b']')?;
            self.open -= 1;
            wrap.push(Wrap::List);
            if self.optional(b'!')? {
                wrap.push(Wrap::NonNull);
            }
        }
        wrap.reverse();
        Ok(Type { at, wrap, name })
    }

    fn selection_set(&mut self) -> Parsed<SelectionSet<'a>> {
        let at = self.lexer.at;
        self.open(b'{')?;
        let mut items = Vec::with_capacity(8);
        loop {
            if self.lexer.token == Token::Spread {
                self.spread(&mut items)?
            } else {
                self.field(&mut items)?
            }
            if self.close(b'}')? {
                return Ok(SelectionSet { at, items });
            }
        }
    }

    fn field(&mut self, items: &mut Vec<Selection<'a>>) -> Parsed<()> {
        let first = self.name()?;
        let (alias, name) =
            if self.optional(b':')? { (Some(first.text), self.name()?.text) } else { (None, first.text) };
        let arguments = self.arguments(false)?;
        let directives = self.directives(false)?;
        let set = if self.peek(b'{') { Some(self.selection_set()?) } else { None };
        items.push(Selection::Field(Field {
            definition: Cell::default(),
            alias,
            name,
            at: first.at,
            arguments,
            directives,
            set,
        }));
        Ok(())
    }

    fn spread(&mut self, items: &mut Vec<Selection<'a>>) -> Parsed<()> {
        let at = self.lexer.at;
        self.lexer.advance()?;
        let conditional = self.keyword("on");
        if self.lexer.token == Token::Name && !conditional {
            let name = self.name()?;
            let directives = self.directives(false)?;
            items.push(Selection::Spread(Spread { at, name, directives }));
            return Ok(());
        }
        let on = if conditional {
            self.lexer.advance()?;
            Some(self.name()?)
        } else {
            None
        };
        let directives = self.directives(false)?;
        let set = self.selection_set()?;
        items.push(Selection::Inline(Inline { at, on, directives, set }));
        Ok(())
    }

    #[inline]
    fn arguments(&mut self, constant: bool) -> Parsed<Vec<Argument<'a>>> {
        if self.peek(b'(') { self.given_arguments(constant) } else { Ok(vec![]) }
    }

    fn given_arguments(&mut self, constant: bool) -> Parsed<Vec<Argument<'a>>> {
        self.open(b'(')?;
        let mut arguments = Vec::with_capacity(1);
        loop {
            let name = self.name()?;
            self.expect(b':')?;
            arguments.push(Argument { name, value: self.value(constant)? });
            if self.close(b')')? {
                return Ok(arguments);
            }
        }
    }

    #[inline]
    fn directives(&mut self, constant: bool) -> Parsed<Vec<Directive<'a>>> {
        if self.peek(b'@') { self.given_directives(constant) } else { Ok(vec![]) }
    }

    fn given_directives(&mut self, constant: bool) -> Parsed<Vec<Directive<'a>>> {
        let mut directives = vec![];
        while self.peek(b'@') {
            let at = self.lexer.at;
            self.lexer.advance()?;
            let name = self.name()?;
            let arguments = self.arguments(constant)?;
            self.directives += 1;
            // Directives over the limit are only counted.
            if self.directives <= self.directives_max {
                directives.push(Directive { at, name, arguments });
            }
        }
        Ok(directives)
    }

    /// Skips a description, and returns whether there was one.
    fn skip_description(&mut self) -> Parsed<bool> {
        let described = matches!(self.lexer.token, Token::String | Token::BlockString);
        if described {
            self.lexer.advance()?;
        }
        Ok(described)
    }

    #[inline]
    fn name(&mut self) -> Parsed<Name<'a>> {
        if self.lexer.token != Token::Name {
            return Err(self.expected("Name"));
        }
        let name = Name { text: self.lexer.written(), at: self.lexer.at };
        self.lexer.advance()?;
        Ok(name)
    }

    #[inline]
    fn peek(&self, punctuator: u8) -> bool {
        self.lexer.token == Token::Punctuator(punctuator)
    }

    fn keyword(&self, word: &str) -> bool {
        self.lexer.token == Token::Name && self.lexer.written() == word
    }

    #[inline]
    fn optional(&mut self, punctuator: u8) -> Parsed<bool> {
        let found = self.peek(punctuator);
        if found {
            self.lexer.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, punctuator: u8) -> Parsed<()> {
        if self.optional(punctuator)? { Ok(()) } else { Err(self.expected(&quoted(punctuator))) }
    }

    /// Skips an opening bracket, within the limit.
    fn open(&mut self, bracket: u8) -> Parsed<()> {
        let at = self.lexer.at;
        self.open += 1;
        if self.open > self.nesting_max {
            let detail = format!("The document nests brackets deeper than {} levels.", self.nesting_max);
            return Err(exceeded(detail).with_message(Message::NestedTooDeep).at(at).into());
        }
        self.expect(bracket)
    }

    /// Skips a closing bracket if there is one.
    #[inline]
    fn close(&mut self, bracket: u8) -> Parsed<bool> {
        let closed = self.optional(bracket)?;
        self.open -= usize::from(closed);
        Ok(closed)
    }

    #[cold]
    fn expected(&self, what: &str) -> Box<RefusalError> {
        syntax_error_at(&format!("Expected {what}, found {}.", self.found()), self.lexer.at)
    }

    #[cold]
    fn unexpected(&self) -> Box<RefusalError> {
        syntax_error_at(&format!("Unexpected {}.", self.found()), self.lexer.at)
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
