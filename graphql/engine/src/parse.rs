//! Parses executable documents (GraphQL specification, section 2). Errors have the texts of graphql-js. The parser refuses a document
//! with type definitions, and graphql-js does so in its rule ExecutableDefinitions.

use std::cell::Cell;

use dated_graphql_syntax::{KEYWORDS, Parsed, Parser, Problem, SyntaxError, Token};

use super::ast::{
    Document, Field, Fragment, Inline, Operation, OperationKind, Selection, SelectionSet, Spread, Variable,
};
use super::code;
use super::error::{Location, Message, RefusalError};
use super::limit::{Limits, exceeded};

/// Parses a document.
pub(super) fn parse<'a>(text: &'a str, limits: &Limits) -> Result<Document<'a>, Box<RefusalError>> {
    if text.len() > limits.document_bytes_max {
        let (bytes, max) = (text.len(), limits.document_bytes_max);
        return Err(exceeded(format!("The document has {bytes} bytes; at most {max} are allowed.")).into());
    }
    let mut parser = Parser::new(text, limits.nesting_max, limits.directives_max);
    let mut document = Document::default();
    parser.advance()?;
    loop {
        definition(&mut parser, &mut document)?;
        if parser.token() == Token::End {
            break;
        }
    }
    let (directives, max) = (parser.directive_count(), limits.directives_max);
    if directives > max {
        return Err(exceeded(format!("The document has {directives} directives; at most {max} are allowed.")).into());
    }
    Ok(document)
}

impl From<Box<SyntaxError>> for Box<RefusalError> {
    #[cold]
    fn from(error: Box<SyntaxError>) -> Self {
        let refused = match error.problem {
            Problem::TooDeep { max } => exceeded(format!("The document nests brackets deeper than {max} levels."))
                .with_message(Message::NestedTooDeep),
            _ => RefusalError::new(code::GRAPHQL_PARSE_FAILED, error.to_string()),
        };
        Box::new(refused.at(error.at))
    }
}

fn definition<'a>(parser: &mut Parser<'a>, document: &mut Document<'a>) -> Result<(), Box<RefusalError>> {
    let at = parser.at();
    if parser.peek(b'{') {
        let (kind, name) = (OperationKind::Query, None);
        let set = selection_set(parser)?;
        document.operations.push(Operation { at, kind, name, variables: vec![], directives: vec![], set });
        return Ok(());
    }
    let described = skip_description(parser)?;
    let word = parser.word();
    if let Some(kind) = OperationKind::from_keyword(word) {
        document.operations.push(operation(parser, at, kind)?);
        return Ok(());
    }
    match word {
        "fragment" => Ok(fragment(parser, at, document)?),
        _ if KEYWORDS.contains(&word) && !(word == "extend" && described) => Err(not_executable(parser, at)),
        _ if described && parser.peek(b'{') => {
            let text = "Unexpected description, descriptions are not supported on shorthand queries.";
            Err(parser.error_at(at, text).into())
        }
        _ if described && parser.token() == Token::Name => {
            let text = "Unexpected description, only GraphQL definitions support descriptions.";
            Err(parser.error_at(at, text).into())
        }
        _ => Err(parser.unexpected("").into()),
    }
}

/// Returns the error for a type system definition. The text after its name is not parsed.
#[cold]
fn not_executable(parser: &mut Parser<'_>, at: Location) -> Box<RefusalError> {
    match type_system_name(parser) {
        Ok(name) => {
            let detail = format!("The {name} definition is not executable.");
            Box::new(RefusalError::new(code::GRAPHQL_PARSE_FAILED, detail).at(at))
        }
        Err(error) => error.into(),
    }
}

/// Returns the name of a type system definition as error messages show it.
fn type_system_name(parser: &mut Parser<'_>) -> Parsed<String> {
    if parser.keyword("extend") {
        parser.advance()?;
        if parser.keyword("extend") || !KEYWORDS.contains(&parser.word()) {
            return Err(parser.unexpected(""));
        }
    }
    let is_schema = parser.keyword("schema");
    parser.advance()?;
    parser.optional(b'@')?;
    if is_schema { Ok("schema".to_owned()) } else { Ok(format!("\"{}\"", parser.name()?.text)) }
}

fn operation<'a>(parser: &mut Parser<'a>, at: Location, kind: OperationKind) -> Parsed<Operation<'a>> {
    parser.advance()?;
    let name = if parser.token() == Token::Name { Some(parser.name()?) } else { None };
    let variables = variables(parser)?;
    let directives = parser.directives(false)?;
    let set = selection_set(parser)?;
    Ok(Operation { at, kind, name, variables, directives, set })
}

fn fragment<'a>(parser: &mut Parser<'a>, at: Location, document: &mut Document<'a>) -> Parsed<()> {
    parser.advance()?;
    if parser.keyword("on") {
        return Err(parser.unexpected(""));
    }
    let name = parser.name()?;
    if !parser.keyword("on") {
        return Err(parser.expected("\"on\"", ""));
    }
    parser.advance()?;
    let on = parser.name()?;
    let directives = parser.directives(false)?;
    let set = selection_set(parser)?;
    document.by_name.add(name.text, document.fragments.len());
    document.fragments.push(Fragment { at, name, on, directives, set });
    Ok(())
}

fn variables<'a>(parser: &mut Parser<'a>) -> Parsed<Vec<Variable<'a>>> {
    let mut variables = vec![];
    if parser.peek(b'(') {
        parser.open(b'(')?;
        loop {
            variables.push(variable(parser)?);
            if parser.close(b')')? {
                break;
            }
        }
    }
    Ok(variables)
}

fn variable<'a>(parser: &mut Parser<'a>) -> Parsed<Variable<'a>> {
    let at = parser.at();
    skip_description(parser)?;
    parser.expect(b'$')?;
    let name = parser.name()?;
    parser.expect(b':')?;
    let ty = parser.ty()?;
    let default = if parser.optional(b'=')? { Some(parser.value(true)?) } else { None };
    let directives = parser.directives(true)?;
    Ok(Variable { at, name, ty, default, directives })
}

fn selection_set<'a>(parser: &mut Parser<'a>) -> Parsed<SelectionSet<'a>> {
    let at = parser.at();
    parser.open(b'{')?;
    let mut items = Vec::with_capacity(8);
    loop {
        if parser.token() == Token::Spread {
            spread(parser, &mut items)?
        } else {
            field(parser, &mut items)?
        }
        if parser.close(b'}')? {
            return Ok(SelectionSet { at, items });
        }
    }
}

fn field<'a>(parser: &mut Parser<'a>, items: &mut Vec<Selection<'a>>) -> Parsed<()> {
    let first = parser.name()?;
    let (alias, name) =
        if parser.optional(b':')? { (Some(first.text), parser.name()?.text) } else { (None, first.text) };
    let arguments = parser.arguments(false)?;
    let directives = parser.directives(false)?;
    let set = if parser.peek(b'{') { Some(selection_set(parser)?) } else { None };
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

fn spread<'a>(parser: &mut Parser<'a>, items: &mut Vec<Selection<'a>>) -> Parsed<()> {
    let at = parser.at();
    parser.advance()?;
    let conditional = parser.keyword("on");
    if parser.token() == Token::Name && !conditional {
        let name = parser.name()?;
        let directives = parser.directives(false)?;
        items.push(Selection::Spread(Spread { at, name, directives }));
        return Ok(());
    }
    let on = if conditional {
        parser.advance()?;
        Some(parser.name()?)
    } else {
        None
    };
    let directives = parser.directives(false)?;
    let set = selection_set(parser)?;
    items.push(Selection::Inline(Inline { at, on, directives, set }));
    Ok(())
}

/// Skips a description, and returns whether there was one.
fn skip_description(parser: &mut Parser<'_>) -> Parsed<bool> {
    let described = parser.peek_string();
    if described {
        parser.advance()?;
    }
    Ok(described)
}
