//! The syntax tree of an executable document, borrowed from its text, with the location of each part.
//!
//! Built by [`super::parse`]; read by the limits, the visitor and the planner. Source: GraphQL specification, section 2.

use std::cell::Cell;

pub(super) use dated_graphql_syntax::{Argument, Directive, Literal, Name, ObjectField, OperationKind, Type, Value};

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
