//! Parses values (GraphQL specification, section 2.9). Each level of recursion opens a bracket.

use super::lexer::Token;
use super::{Parsed, Parser, syntax_error_at};
use crate::ast::{Literal, ObjectField, Value};
use crate::error::RefusalError;

impl<'a> Parser<'a> {
    /// Parses a value; variables are allowed unless it is `constant`.
    pub(super) fn value(&mut self, constant: bool) -> Parsed<Value<'a>> {
        let at = self.lexer.at;
        let literal = match self.lexer.token {
            Token::Punctuator(b'[') => return self.list(constant),
            Token::Punctuator(b'{') => return self.object(constant),
            Token::Punctuator(b'$') if constant => return Err(self.variable_in_constant()),
            Token::Punctuator(b'$') => {
                self.lexer.advance()?;
                return Ok(Value { at, literal: Literal::Variable(self.name()?.text) });
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
            _ => return Err(self.unexpected()),
        };
        self.lexer.advance()?;
        Ok(Value { at, literal })
    }

    #[cold]
    fn variable_in_constant(&mut self) -> Box<RefusalError> {
        let (at, unexpected) = (self.lexer.at, self.unexpected());
        if let Err(error) = self.lexer.advance() {
            return error;
        }
        match self.lexer.token {
            Token::Name => {
                syntax_error_at(&format!("Unexpected variable \"${}\" in constant value.", self.lexer.written()), at)
            }
            _ => unexpected,
        }
    }

    fn list(&mut self, constant: bool) -> Parsed<Value<'a>> {
        let (at, mut items) = (self.lexer.at, vec![]);
        self.open(b'[')?;
        while !self.close(b']')? {
            items.push(self.value(constant)?);
        }
        Ok(Value { at, literal: Literal::List(items) })
    }

    fn object(&mut self, constant: bool) -> Parsed<Value<'a>> {
        let (at, mut fields) = (self.lexer.at, vec![]);
        self.open(b'{')?;
        while !self.close(b'}')? {
            let name = self.name()?;
            self.expect(b':')?;
            fields.push(ObjectField { name, value: self.value(constant)? });
        }
        Ok(Value { at, literal: Literal::Object(fields) })
    }
}
