//! Parses type system documents, SDL (GraphQL specification, section 3), and reports every syntax error in one pass.
//!
//! An error in a member of a body (a field, a value, a root) skips to the next member; any other error skips to the next definition,
//! and the definition is left out. Both skip with the brackets of the text in view ([`Skipped`]):
//!
//! ```text
//! type Query {
//!   book Book              unexpected `Book`; goes on with `genre`
//!   genre: Genre
//! type Book { id: ID! }    `type` in the first column: the `{` of `Query` is never closed; goes on with `Book`
//! ```

use crate::error::{Parsed, Problem, Span, SyntaxError};
use crate::lexer::{Lexer, Mark, Token};
use crate::parser::Parser;
use crate::tree::{
    Description, DirectiveDefinition, EnumValueDefinition, FieldDefinition, InputValueDefinition, OperationKind,
    RootDefinition, SchemaDefinition, TypeDefinition, TypeKind, TypeSystemDocument,
};

/// The number of brackets of any kind in each other in a type system document.
pub const DEPTH_MAX: usize = 64;

/// The keywords that begin a definition.
pub const KEYWORDS: [&str; 9] =
    ["type", "input", "interface", "enum", "union", "scalar", "directive", "schema", "extend"];

/// The locations of directives (GraphQL specification, section 3.13).
pub const LOCATIONS: &str = "QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT \
     VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE \
     INPUT_OBJECT INPUT_FIELD_DEFINITION";

const DEFINITION: &str =
    "a definition: `type`, `input`, `interface`, `enum`, `union`, `scalar`, `directive`, `schema` or `extend`";

/// Parses SDL. Returns its tree, or its syntax errors.
pub fn parse_type_system(text: &str) -> Result<TypeSystemDocument<'_>, Vec<SyntaxError>> {
    let (mut parser, mut tree) = (Parser::new(text, DEPTH_MAX, usize::MAX), TypeSystemDocument::default());
    let mut start = parser.lexer.mark();
    let mut result = parser.advance();
    if result.is_ok() && parser.token() == Token::End {
        let (span, at) = (parser.lexer.span(), parser.at());
        result = Err(SyntaxError::new(span, at, Problem::EmptyDocument, "Unexpected <EOF>."));
    }
    loop {
        if let Err(error) = result {
            parser.skip_definition(start, *error);
        }
        if parser.token() == Token::End {
            break;
        }
        start = parser.lexer.mark();
        result = parser.definition(&mut tree);
    }
    if parser.errors.is_empty() { Ok(tree) } else { Err(parser.errors) }
}

impl<'a> Parser<'a> {
    fn definition(&mut self, tree: &mut TypeSystemDocument<'a>) -> Parsed<()> {
        let description = self.description()?;
        let extends = self.keyword("extend");
        if extends {
            self.errors.extend(description.map(|description| {
                let message = "Unexpected description, only GraphQL definitions support descriptions.";
                *SyntaxError::new(description.span, self.at(), Problem::ExtensionDescription, message)
            }));
            self.advance()?;
        }
        match (self.word(), TypeKind::from_keyword(self.word())) {
            (_, Some(kind)) => {
                let ty = self.type_definition(description, kind, extends)?;
                if extends { tree.type_extensions.push(ty) } else { tree.types.push(ty) }
            }
            ("schema", _) => {
                let schema = self.schema_definition(description, extends)?;
                if extends { tree.schema_extensions.push(schema) } else { tree.schemas.push(schema) }
            }
            ("directive", _) if !extends => {
                let directive = self.directive_definition(description)?;
                tree.directives.push(directive);
            }
            _ if extends => return Err(self.unexpected("what it extends: `schema`, `type` or another kind of type")),
            _ => return Err(self.unexpected(DEFINITION)),
        }
        Ok(())
    }

    fn schema_definition(
        &mut self,
        description: Option<Description<'a>>,
        extends: bool,
    ) -> Parsed<SchemaDefinition<'a>> {
        let span = self.lexer.span();
        self.advance()?;
        let directives = self.directives(true)?;
        let may_end = extends && !directives.is_empty();
        let roots = self.body("a root, such as `query: Query`", may_end, Self::root)?;
        Ok(SchemaDefinition { description, span, directives, roots })
    }

    fn root(&mut self) -> Parsed<RootDefinition<'a>> {
        let Some(kind) = OperationKind::from_keyword(self.word()) else {
            return Err(self.unexpected("`query`, `mutation` or `subscription`"));
        };
        let operation = self.name()?;
        self.expect(b':')?;
        Ok(RootDefinition { kind, operation, ty: self.name_of("a type")? })
    }

    fn type_definition(
        &mut self,
        description: Option<Description<'a>>,
        kind: TypeKind,
        extends: bool,
    ) -> Parsed<TypeDefinition<'a>> {
        self.advance()?;
        let name = self.name()?;
        let has_interfaces = matches!(kind, TypeKind::Object | TypeKind::Interface) && self.keyword("implements");
        let implements = if has_interfaces { self.names(b'&', Self::name)? } else { vec![] };
        let directives = self.directives(true)?;
        // A definition without contents breaks a rule and no syntax; an extension adds something.
        let may_end = !extends || has_interfaces || !directives.is_empty();
        let (fields, members, values, inputs) = (vec![], vec![], vec![], vec![]);
        let mut ty =
            TypeDefinition { description, kind, name, implements, directives, fields, members, values, inputs };
        match kind {
            TypeKind::Scalar => self.end(may_end, "`@`")?,
            TypeKind::Object | TypeKind::Interface => ty.fields = self.body("a field", may_end, Self::field)?,
            TypeKind::Union if self.peek(b'=') => ty.members = self.names(b'|', Self::name)?,
            TypeKind::Union => self.end(may_end, "`=`")?,
            TypeKind::Enum => ty.values = self.body("a value", may_end, Self::enum_value)?,
            TypeKind::Input => ty.inputs = self.body("a field", may_end, Self::input_value)?,
        }
        Ok(ty)
    }

    fn field(&mut self) -> Parsed<FieldDefinition<'a>> {
        let (description, name) = (self.description()?, self.name()?);
        let mut arguments = vec![];
        if self.peek(b'(') {
            arguments = self.argument_definitions()?;
            self.expect(b':')?;
        } else if !self.optional(b':')? {
            return Err(self.expected("\":\"", "`(` or `:`"));
        }
        Ok(FieldDefinition { description, name, arguments, ty: self.ty()?, directives: self.directives(true)? })
    }

    fn argument_definitions(&mut self) -> Parsed<Vec<InputValueDefinition<'a>>> {
        let mut arguments = vec![];
        if self.peek(b'(') {
            self.open(b'(')?;
            loop {
                if self.token() != Token::Name && !self.peek_string() {
                    return Err(
                        self.expected("Name", if arguments.is_empty() { "an argument" } else { "an argument or `)`" })
                    );
                }
                arguments.push(self.input_value()?);
                if self.close(b')')? {
                    break;
                }
            }
        }
        Ok(arguments)
    }

    fn input_value(&mut self) -> Parsed<InputValueDefinition<'a>> {
        let (description, name) = (self.description()?, self.name()?);
        self.expect(b':')?;
        let ty = self.ty()?;
        let default = if self.optional(b'=')? { Some(self.value(true)?) } else { None };
        Ok(InputValueDefinition { description, name, ty, default, directives: self.directives(true)? })
    }

    fn enum_value(&mut self) -> Parsed<EnumValueDefinition<'a>> {
        let description = self.description()?;
        let word = self.word();
        if matches!(word, "true" | "false" | "null") {
            let text = format!("Name \"{word}\" is reserved and cannot be used for an enum value.");
            return Err(self.error(text, "a name other than `true`, `false` and `null`".to_owned()));
        }
        Ok(EnumValueDefinition { description, name: self.name()?, directives: self.directives(true)? })
    }

    fn directive_definition(&mut self, description: Option<Description<'a>>) -> Parsed<DirectiveDefinition<'a>> {
        self.advance()?;
        let start = self.lexer.start;
        self.expect(b'@')?;
        let name = self.name()?;
        let arguments = self.argument_definitions()?;
        let repeatable = self.keyword("repeatable");
        if repeatable {
            self.advance()?;
        }
        if !self.keyword("on") {
            return Err(self.expected("\"on\"", if repeatable { "`on`" } else { "`(`, `repeatable` or `on`" }));
        }
        let locations = self.names(b'|', Self::location)?;
        let span = Span { start, end: name.span.end };
        Ok(DirectiveDefinition { description, span, name, arguments, repeatable, locations })
    }

    fn location(&mut self) -> Parsed<&'static str> {
        let location = LOCATIONS.split(' ').find(|location| self.keyword(location));
        let location = location.ok_or_else(|| self.unexpected("a location, such as `FIELD_DEFINITION`"))?;
        self.advance()?;
        Ok(location)
    }

    /// Skips the current token, `implements`, `on` or `=`, and parses names between separators; one may come first.
    fn names<T>(&mut self, separator: u8, name: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut names = vec![];
        self.advance()?;
        self.optional(separator)?;
        loop {
            names.push(name(self)?);
            if !self.optional(separator)? {
                return Ok(names);
            }
        }
    }

    /// Parses the members between braces, each `what`. A definition without braces may end if it `may_end`.
    fn body<T>(&mut self, what: &str, may_end: bool, member: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let (mut members, open, mut is_first, mut is_closed) = (vec![], self.open, true, true);
        if !self.peek(b'{') {
            self.end(may_end, "`{`")?;
            return Ok(members);
        }
        self.open(b'{')?;
        while is_first || !self.close(b'}')? {
            let start = self.lexer.mark();
            // The next definition, if the brace is never closed. Its keyword may also be the name of a member.
            is_closed &= !self.is_definition_in_first_column();
            let parsed = match self.token() {
                Token::Name | Token::String | Token::BlockString => member(self),
                _ if is_first => Err(self.expected("Name", what)),
                _ => Err(self.expected("Name", &format!("{what} or `}}`"))),
            };
            match parsed {
                Ok(member) => members.push(member),
                Err(error) if !is_closed || self.token() == Token::End => return Err(error),
                Err(error) => {
                    if !(is_first && self.peek(b'}')) {
                        self.skip_member(start, error.span.start);
                    }
                    self.errors.push(*error);
                    self.open = open + 1;
                }
            }
            is_first = false;
        }
        Ok(members)
    }

    /// Checks that a definition ends where it `may_end`: before the next one. Otherwise `more` is expected.
    fn end(&self, may_end: bool, more: &str) -> Parsed<()> {
        let is_end = self.token() == Token::End || self.peek_string() || KEYWORDS.contains(&self.word());
        if may_end && is_end { Ok(()) } else { Err(self.unexpected(more)) }
    }

    /// Parses a description, if there is one.
    fn description(&mut self) -> Parsed<Option<Description<'a>>> {
        if !self.peek_string() {
            return Ok(None);
        }
        let description = Description { span: self.lexer.span(), literal: self.lexer.written() };
        self.advance()?;
        Ok(Some(description))
    }
}

/// The tokens that are skipped after an error.
struct Skipped<'a> {
    /// The brackets that they leave open.
    open: Vec<(&'a str, Span)>,
    /// The end of the last one.
    end: usize,
    /// Whether the current token is the first of a line, or follows a `}`.
    is_start: bool,
}

/// Errors, and how to go on after them.
impl<'a> Parser<'a> {
    /// Reports the error of the definition at `start`, and skips to the next definition.
    fn skip_definition(&mut self, start: Mark, mut error: SyntaxError) {
        let from = error.span.start;
        let skipped = self.skip(start, |parser, skipped| {
            let is_top = skipped.open.is_empty() && skipped.is_start && parser.lexer.start >= from;
            parser.is_definition_in_first_column() || (is_top && parser.is_definition())
        });
        if let Some((_, bracket)) = skipped.open.last().filter(|_| from >= self.lexer.start) {
            (error.span, error.problem) = (*bracket, Problem::NeverClosed { end: skipped.end });
        }
        self.errors.push(error);
        self.open = 0;
    }

    /// Skips to the member after the one at `start`, which has an error at the byte `from`, or to the end of the body.
    fn skip_member(&mut self, start: Mark, from: usize) {
        self.skip(start, |parser, skipped| {
            let is_name = parser.token() == Token::Name || parser.peek_string();
            let is_member = is_name && skipped.is_start && skipped.open.is_empty() && parser.lexer.start >= from;
            let is_end = parser.peek(b'}') && skipped.open.iter().all(|(bracket, _)| *bracket != "{");
            is_member || is_end || parser.is_definition_in_first_column()
        });
    }

    /// Skips tokens from `start` on, up to the first one after it for which `ends` returns true. Tokens with an error are left out.
    fn skip(&mut self, start: Mark, ends: impl Fn(&Self, &Skipped<'a>) -> bool) -> Skipped<'a> {
        let mut skipped = Skipped { open: vec![], end: start.start, is_start: false };
        self.lexer = Lexer::from_mark(self.lexer.text, start);
        loop {
            let (line, is_brace) = (self.lexer.line, self.peek(b'}'));
            let is_description = self.peek_string() && self.lexer.start == start.start;
            while self.advance().is_err() {}
            skipped.is_start = is_brace || self.lexer.at.line > line;
            let is_behind = self.lexer.start > start.start && !is_description;
            if self.token() == Token::End || (is_behind && ends(self, &skipped)) {
                return skipped;
            }
            skipped.end = self.lexer.end;
            let bracket = self.lexer.written();
            let pair = ["{}", "()", "[]"].into_iter().find(|pair| pair.contains(bracket));
            if matches!(bracket, "{" | "(" | "[") {
                // Deeper brackets are an error already; a bound keeps the time linear.
                if skipped.open.len() < DEPTH_MAX {
                    skipped.open.push((bracket, self.lexer.span()));
                }
            } else if let Some(opened) =
                skipped.open.iter().rposition(|(open, _)| pair.is_some_and(|pair| pair.starts_with(open)))
            {
                // A bracket also closes those inside it that are never closed.
                skipped.open.truncate(opened);
            }
        }
    }

    /// Returns whether a definition, with its description, begins here in the first column, where members do not.
    fn is_definition_in_first_column(&self) -> bool {
        self.at().column == 1 && self.is_definition()
    }

    /// Returns whether a definition, with its description, can begin here, and no field whose name is a keyword.
    fn is_definition(&self) -> bool {
        if !self.peek_string() && !KEYWORDS.contains(&self.word()) {
            return false;
        }
        let mut ahead = Lexer::from_mark(self.lexer.text, self.lexer.mark());
        let mut next = || ahead.advance().map(|()| (ahead.token, ahead.written()));
        let mut token = next();
        if matches!(token, Ok((Token::String | Token::BlockString, _))) {
            token = next();
        }
        let is_keyword = matches!(token, Ok((Token::Name, word)) if KEYWORDS.contains(&word));
        is_keyword && !matches!(next(), Ok((Token::Punctuator(b':' | b'('), _)))
    }
}
