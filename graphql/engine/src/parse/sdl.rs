//! Parses the SDL of a version, with its extensions (GraphQL specification, section 3). The build has checked it, so no rule is
//! checked here.

use std::borrow::Cow;
use std::sync::OnceLock;

use schema::parse::{DEPTH_MAX, NO_REASON};

use super::lexer::{Lexer, Token};
use super::{Parsed, Parser, string};
use crate::ast::{Directive, Literal};
use crate::definition::{
    Description, DirectiveDefinition, EnumValue, FieldDefinition, InputDefault, InputDefinition, InputObject, Kind,
    Type, TypeRef,
};

/// What the SDL of a version defines, in document order.
#[derive(Default)]
pub(crate) struct Sdl {
    /// The description of the schema itself.
    pub description: Option<Description>,
    /// Whether it has a block `schema { … }`.
    pub has_schema: bool,
    /// The name of the query root, if a block or an extension of the schema names one.
    pub query: Option<&'static str>,
    /// The name of the mutation root, likewise.
    pub mutation: Option<&'static str>,
    pub types: Vec<Type>,
    pub directives: Vec<DirectiveDefinition>,
}

/// Parses SDL.
pub(crate) fn parse_sdl(text: &'static str) -> Parsed<Sdl> {
    let (mut sdl, mut extensions) = (Sdl::default(), vec![]);
    let lexer = Lexer::new(text)?;
    let mut parser = Parser { lexer, nesting_max: DEPTH_MAX, open: 0, directives_max: usize::MAX, directives: 0 };
    while parser.lexer.token != Token::End {
        parser.type_system_definition(&mut sdl, &mut extensions)?;
    }
    for extension in extensions {
        if let Some(extended) = sdl.types.iter_mut().find(|ty| ty.name == extension.name) {
            extended.kind.extend(extension.kind);
        }
    }
    Ok(sdl)
}

/// Returns the value of a string or block string, which is given with its quotes.
pub(crate) fn string_value(literal: &str) -> Parsed<Cow<'_, str>> {
    let read = if literal.starts_with("\"\"\"") { string::block } else { string::plain };
    read(literal, 0).map(|(value, _)| value)
}

impl Parser<'static> {
    fn type_system_definition(&mut self, sdl: &mut Sdl, extensions: &mut Vec<Type>) -> Parsed<()> {
        let description = self.description()?;
        let extends = self.keyword("extend");
        if extends {
            self.lexer.advance()?;
        }
        match self.name()?.text {
            "schema" => {
                if !extends {
                    (sdl.has_schema, sdl.description) = (true, description);
                }
                self.directives(true)?;
                for (kind, root) in self.items(b'{', b'}', Self::root)? {
                    match kind {
                        "query" => sdl.query = Some(root),
                        "mutation" => sdl.mutation = Some(root),
                        _ => {} // subscriptions are not executed
                    }
                }
            }
            "directive" => sdl.directives.push(self.directive_definition(description)?),
            keyword => {
                let name = self.name()?.text;
                let ty = Type::new(name, description, self.kind(keyword)?);
                if extends { extensions.push(ty) } else { sdl.types.push(ty) }
            }
        }
        Ok(())
    }

    fn root(&mut self) -> Parsed<(&'static str, &'static str)> {
        let kind = self.name()?.text;
        self.expect(b':')?;
        Ok((kind, self.name()?.text))
    }

    /// Parses the definition of a type after its name.
    fn kind(&mut self, keyword: &str) -> Parsed<Kind> {
        let implements = if self.keyword("implements") { self.names(b'&')? } else { vec![] };
        let directives = self.directives(true)?;
        Ok(match keyword {
            "scalar" => Kind::Scalar { specified_by: string_argument(&directives, "specifiedBy", "url") },
            "type" => Kind::Object { implements, fields: self.items(b'{', b'}', Self::field_definition)?.into() },
            "interface" => {
                Kind::Interface { implements, fields: self.items(b'{', b'}', Self::field_definition)?.into() }
            }
            "union" => Kind::Union { members: if self.peek(b'=') { self.names(b'|')? } else { vec![] } },
            "enum" => Kind::Enum { values: self.items(b'{', b'}', Self::enum_value)? },
            "input" => {
                let one_of = directives.iter().any(|directive| directive.name.text == "oneOf");
                Kind::Input(InputObject { one_of, fields: self.items(b'{', b'}', Self::input_definition)? })
            }
            _ => return Err(self.unexpected()),
        })
    }

    fn field_definition(&mut self) -> Parsed<FieldDefinition> {
        let description = self.description()?;
        let name = self.name()?.text;
        let arguments = self.items(b'(', b')', Self::input_definition)?;
        self.expect(b':')?;
        let ty = self.type_ref()?;
        let deprecated = deprecated(&self.directives(true)?);
        Ok(FieldDefinition { description, deprecated, ..FieldDefinition::new(name, arguments, ty) })
    }

    fn input_definition(&mut self) -> Parsed<InputDefinition> {
        let description = self.description()?;
        let name = self.name()?.text;
        self.expect(b':')?;
        let ty = self.type_ref()?;
        let default = match self.optional(b'=')? {
            true => Some(Box::new(InputDefault { literal: self.value(true)?.literal, value: OnceLock::new() })),
            false => None,
        };
        let deprecated = deprecated(&self.directives(true)?);
        Ok(InputDefinition { name, description, ty, default, deprecated, coordinate: None })
    }

    fn enum_value(&mut self) -> Parsed<EnumValue> {
        let description = self.description()?;
        let name = self.name()?.text;
        let deprecated = deprecated(&self.directives(true)?);
        Ok(EnumValue { name, description, deprecated, coordinate: None })
    }

    fn directive_definition(&mut self, description: Option<Description>) -> Parsed<DirectiveDefinition> {
        self.expect(b'@')?;
        let name = self.name()?.text;
        let arguments = self.items(b'(', b')', Self::input_definition)?;
        let repeatable = self.keyword("repeatable");
        if repeatable {
            self.lexer.advance()?;
        }
        Ok(DirectiveDefinition { name, description, arguments, repeatable, locations: self.names(b'|')? })
    }

    fn type_ref(&mut self) -> Parsed<TypeRef> {
        let ty = self.ty()?;
        Ok(TypeRef { wrap: ty.wrap.into(), name: ty.name.text })
    }

    /// Skips the current token, `implements`, `on` or `=`, and parses names between separators; one may come first.
    fn names(&mut self, separator: u8) -> Parsed<Vec<&'static str>> {
        let mut names = vec![];
        self.lexer.advance()?;
        self.optional(separator)?;
        loop {
            names.push(self.name()?.text);
            if !self.optional(separator)? {
                return Ok(names);
            }
        }
    }

    /// Parses items between brackets; none without a bracket.
    fn items<T>(&mut self, open: u8, close: u8, item: fn(&mut Self) -> Parsed<T>) -> Parsed<Box<[T]>> {
        let mut items = vec![];
        if self.peek(open) {
            self.open(open)?;
            while !self.close(close)? {
                items.push(item(self)?);
            }
        }
        Ok(items.into())
    }

    /// Parses a description, if there is one.
    fn description(&mut self) -> Parsed<Option<Description>> {
        let literal = self.lexer.written();
        Ok(self.skip_description()?.then_some(Description(literal)))
    }
}

fn deprecated(directives: &[Directive<'static>]) -> Option<Cow<'static, str>> {
    let is_deprecated = directives.iter().any(|directive| directive.name.text == "deprecated");
    is_deprecated.then(|| string_argument(directives, "deprecated", "reason").unwrap_or(NO_REASON.into()))
}

/// Returns the string that a directive has as an argument.
fn string_argument(directives: &[Directive<'static>], directive: &str, name: &str) -> Option<Cow<'static, str>> {
    match directives.iter().find(|used| used.name.text == directive)?.argument(name)? {
        Literal::String(text) => Some(text.clone()),
        _ => None,
    }
}
