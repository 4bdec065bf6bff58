//! The syntax tree of a document, borrowed from its text, with the location of each part.
//!
//! Built by [`super::parse`]; read by the limits, the visitor and the planner. Source: GraphQL specification, section 2.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use schema::model::Wrap;

use super::definition::FieldDefinition;
use super::error::Location;

/// An executable document.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    pub operations: Vec<Operation<'a>>,
    pub fragments: Vec<Fragment<'a>>,
    /// Positions of the fragments; the first of two with the same name.
    pub by_name: FragmentIndex<'a>,
}

/// Maps the name of a fragment to its position.
pub(super) type FragmentIndex<'a> = super::small_map::SmallMap<'a, usize>;

/// A name with its location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    pub text: &'a str,
    pub at: Location,
}

/// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperationKind {
    Query,
    Mutation,
    Subscription,
}

/// An operation.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    pub at: Location,
    pub kind: OperationKind,
    pub name: Option<Name<'a>>,
    pub variables: Vec<Variable<'a>>,
    pub directives: Vec<Directive<'a>>,
    pub set: SelectionSet<'a>,
}

/// A fragment definition.
#[derive(Debug)]
pub(super) struct Fragment<'a> {
    pub at: Location,
    pub name: Name<'a>,
    /// The type condition.
    pub on: Name<'a>,
    pub directives: Vec<Directive<'a>>,
    pub set: SelectionSet<'a>,
}

/// A variable definition.
#[derive(Debug)]
pub(super) struct Variable<'a> {
    pub at: Location,
    pub name: Name<'a>,
    pub ty: Type<'a>,
    pub default: Option<Value<'a>>,
    pub directives: Vec<Directive<'a>>,
}

/// The type of a variable.
#[derive(Debug)]
pub(super) struct Type<'a> {
    pub at: Location,
    /// Outermost first.
    pub wrap: Vec<Wrap>,
    pub name: Name<'a>,
}

/// A selection set.
#[derive(Debug)]
pub(super) struct SelectionSet<'a> {
    pub at: Location,
    pub items: Vec<Selection<'a>>,
}

/// An item of a selection set.
#[derive(Debug)]
pub(super) enum Selection<'a> {
    Field(Field<'a>),
    Spread(Spread<'a>),
    Inline(Inline<'a>),
}

/// A field.
#[derive(Debug)]
pub(super) struct Field<'a> {
    /// Its definition on the type of its selection set; `None` until the visit sets it.
    pub definition: Cell<Option<&'static FieldDefinition>>,
    pub alias: Option<&'a str>,
    pub name: &'a str,
    /// The start of the field: of its alias, if it has one.
    pub at: Location,
    pub arguments: Vec<Argument<'a>>,
    pub directives: Vec<Directive<'a>>,
    pub set: Option<SelectionSet<'a>>,
}

/// A fragment spread.
#[derive(Debug)]
pub(super) struct Spread<'a> {
    pub at: Location,
    pub name: Name<'a>,
    pub directives: Vec<Directive<'a>>,
}

/// An inline fragment.
#[derive(Debug)]
pub(super) struct Inline<'a> {
    pub at: Location,
    /// The type condition.
    pub on: Option<Name<'a>>,
    pub directives: Vec<Directive<'a>>,
    pub set: SelectionSet<'a>,
}

/// An argument of a field or a directive.
#[derive(Debug)]
pub(super) struct Argument<'a> {
    pub name: Name<'a>,
    pub value: Value<'a>,
}

/// A use of a directive.
#[derive(Debug)]
pub(super) struct Directive<'a> {
    pub at: Location,
    pub name: Name<'a>,
    pub arguments: Vec<Argument<'a>>,
}

/// A value with its location.
#[derive(Clone, Debug)]
pub(super) struct Value<'a> {
    pub at: Location,
    pub literal: Literal<'a>,
}

/// The literal of a value.
#[derive(Clone, Debug)]
pub(super) enum Literal<'a> {
    Variable(&'a str),
    /// The digits of an integer.
    Int(&'a str),
    /// The text of a number with a fraction or an exponent.
    Float(&'a str),
    String(Cow<'a, str>),
    Boolean(bool),
    Null,
    Enum(&'a str),
    List(Vec<Value<'a>>),
    Object(Vec<ObjectField<'a>>),
}

/// A field of an object.
#[derive(Clone, Debug)]
pub(super) struct ObjectField<'a> {
    pub name: Name<'a>,
    pub value: Value<'a>,
}

impl<'a> Document<'a> {
    /// Returns the fragment called `name`, with its position.
    pub(super) fn fragment(&self, name: &str) -> Option<(usize, &Fragment<'a>)> {
        self.by_name.get(name).map(|at| (*at, &self.fragments[*at]))
    }
}

impl<'a> Field<'a> {
    /// Returns the key in the response.
    pub(super) fn response_key(&self) -> &'a str {
        self.alias.unwrap_or(self.name)
    }

    /// Returns the items of its selection set, if any.
    pub(super) fn items(&self) -> &[Selection<'a>] {
        self.set.as_ref().map_or(&[], |set| &set.items)
    }
}

impl<'a> Selection<'a> {
    pub(super) fn directives(&self) -> &[Directive<'a>] {
        match self {
            Selection::Field(field) => &field.directives,
            Selection::Spread(spread) => &spread.directives,
            Selection::Inline(inline) => &inline.directives,
        }
    }

    pub(super) fn at(&self) -> Location {
        match self {
            Selection::Field(field) => field.at,
            Selection::Spread(spread) => spread.at,
            Selection::Inline(inline) => inline.at,
        }
    }
}

impl<'a> Directive<'a> {
    /// Returns the value of the argument called `name`.
    pub(super) fn argument(&self, name: &str) -> Option<&Literal<'a>> {
        self.arguments.iter().find(|argument| argument.name.text == name).map(|argument| &argument.value.literal)
    }
}

impl fmt::Display for Literal<'_> {
    /// As graphql-js prints it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Variable(name) => write!(f, "${name}"),
            Literal::Int(text) | Literal::Float(text) | Literal::Enum(text) => f.write_str(text),
            Literal::String(text) => {
                let mut written = Vec::with_capacity(text.len() + 2);
                super::json_string::write_string(&mut written, text);
                f.write_str(&String::from_utf8_lossy(&written))
            }
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

/// Writes a type as the SDL does; `wrap` is outermost first.
pub(super) fn write_type(f: &mut fmt::Formatter<'_>, wrap: &[Wrap], name: &str) -> fmt::Result {
    for _ in wrap.iter().filter(|wrap| **wrap == Wrap::List) {
        f.write_str("[")?;
    }
    f.write_str(name)?;
    wrap.iter().rev().try_for_each(|wrap| f.write_str(if *wrap == Wrap::NonNull { "!" } else { "]" }))
}
