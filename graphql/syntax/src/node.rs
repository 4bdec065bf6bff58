//! The nodes that executable documents and type system documents share, borrowed from their text (GraphQL specification,
//! section 2).

use std::borrow::Cow;
use std::fmt;

use crate::error::{Location, Span};

/// A name.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    pub text: &'a str,
    pub at: Location,
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    pub at: Location,
    pub span: Span,
    pub literal: Literal<'a>,
}

/// The literal of a value.
#[derive(Clone, Debug)]
pub enum Literal<'a> {
    /// The name of a variable, without `$`.
    Variable(&'a str),
    /// The digits of an integer.
    Int(&'a str),
    /// The text of a number with a fraction or an exponent.
    Float(&'a str),
    /// The text of a string or block string.
    String(Cow<'a, str>),
    /// `true` or `false`.
    Boolean(bool),
    /// `null`
    Null,
    /// The name of an enum value.
    Enum(&'a str),
    /// The items of a list.
    List(Vec<Value<'a>>),
    /// The fields of an object.
    Object(Vec<ObjectField<'a>>),
}

/// A field of an object.
#[derive(Clone, Debug)]
pub struct ObjectField<'a> {
    pub name: Name<'a>,
    pub value: Value<'a>,
}

/// An argument of a field or a directive.
#[derive(Clone, Debug)]
pub struct Argument<'a> {
    pub name: Name<'a>,
    pub value: Value<'a>,
}

/// A use of a directive.
#[derive(Clone, Debug)]
pub struct Directive<'a> {
    /// The location of the `@`.
    pub at: Location,
    /// From the `@` to the end of the arguments.
    pub span: Span,
    /// The name without `@`.
    pub name: Name<'a>,
    pub arguments: Vec<Argument<'a>>,
}

/// A reference to a type.
#[derive(Clone, Debug)]
pub struct Type<'a> {
    pub at: Location,
    pub span: Span,
    /// Outermost first: `[String!]` is `[List, NonNull]` and `String`.
    pub wrap: Vec<Wrap>,
    /// The name of the innermost type.
    pub name: Name<'a>,
}

/// A wrapper of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// `T!`
    NonNull,
    /// `[T]`
    List,
}

impl<'a> Directive<'a> {
    /// Returns the span from the `@` to the end of the name.
    pub fn name_span(&self) -> Span {
        Span { start: self.span.start, end: self.name.span.end }
    }

    /// Returns the value of the argument called `name`.
    pub fn argument(&self, name: &str) -> Option<&Literal<'a>> {
        self.arguments.iter().find(|argument| argument.name.text == name).map(|argument| &argument.value.literal)
    }
}

impl Type<'_> {
    /// Returns whether the outermost wrapper is non-null.
    pub fn is_non_null(&self) -> bool {
        self.wrap.first() == Some(&Wrap::NonNull)
    }
}

impl fmt::Display for Literal<'_> {
    /// Writes it as graphql-js prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Variable(name) => write!(f, "${name}"),
            Literal::Int(text) | Literal::Float(text) | Literal::Enum(text) => f.write_str(text),
            Literal::String(text) => write!(f, "{}", serde_json::Value::from(&**text)),
            Literal::Boolean(value) => write!(f, "{value}"),
            Literal::Null => f.write_str("null"),
            Literal::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { ", " } else { "" }, item.literal)?;
                }
                f.write_str("]")
            }
            Literal::Object(fields) => {
                f.write_str("{")?;
                for (i, field) in fields.iter().enumerate() {
                    let separator = if i > 0 { ", " } else { "" };
                    write!(f, "{separator}{}: {}", field.name.text, field.value.literal)?;
                }
                f.write_str("}")
            }
        }
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, &self.wrap, self.name.text)
    }
}

/// Writes a type as SDL does; `wrap` is outermost first.
pub fn write_type(f: &mut fmt::Formatter<'_>, wrap: &[Wrap], name: &str) -> fmt::Result {
    for _ in wrap.iter().filter(|wrap| **wrap == Wrap::List) {
        f.write_str("[")?;
    }
    f.write_str(name)?;
    wrap.iter().rev().try_for_each(|wrap| f.write_str(if *wrap == Wrap::NonNull { "!" } else { "]" }))
}
