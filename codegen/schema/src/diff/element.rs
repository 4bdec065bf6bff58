//! The elements of two schemas: what a coordinate names in the old schema, in the new one, or in both.

use std::collections::HashSet;
use std::rc::Rc;

use crate::diagnostic::Span;
use crate::model::{Directive, EnumValue, Field, Input, Kind, Schema, Ty, Type};
use crate::sdl::Sdl;
use crate::span_index::Use;
use crate::walk;

/// Two schemas of which the second may follow the first.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// The older version.
    pub old: &'a Sdl,
    /// The newer version.
    pub new: &'a Sdl,
}

/// An element of the old schema, of the new one, or of both.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pairing<T> {
    Added(T),
    Removed(T),
    Kept(T, T),
}

impl<T> Pairing<T> {
    pub(super) fn added(self) -> Option<T> {
        if let Self::Added(new) = self { Some(new) } else { None }
    }

    pub(super) fn removed(self) -> Option<T> {
        if let Self::Removed(old) = self { Some(old) } else { None }
    }

    /// Returns the old and the new element where both exist.
    pub(super) fn kept(self) -> Option<(T, T)> {
        if let Self::Kept(old, new) = self { Some((old, new)) } else { None }
    }

    pub(super) fn old(self) -> Option<T> {
        if let Self::Removed(old) | Self::Kept(old, _) = self { Some(old) } else { None }
    }

    pub(super) fn map<U>(self, part: impl Fn(T) -> U) -> Pairing<U> {
        match self {
            Self::Added(new) => Pairing::Added(part(new)),
            Self::Removed(old) => Pairing::Removed(part(old)),
            Self::Kept(old, new) => Pairing::Kept(part(old), part(new)),
        }
    }

    /// Returns `None` where neither schema has the element.
    pub(super) fn of(old: Option<T>, new: Option<T>) -> Option<Self> {
        match (old, new) {
            (Some(old), Some(new)) => Some(Self::Kept(old, new)),
            (Some(old), None) => Some(Self::Removed(old)),
            (None, Some(new)) => Some(Self::Added(new)),
            (None, None) => None,
        }
    }
}

/// Where an input value is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Argument,
    InputField,
    DirectiveArgument,
}

/// A part of a schema.
#[derive(Clone, Copy, Debug)]
pub(super) enum Element<'a> {
    Schema(Pairing<&'a Schema>),
    /// The root type of an operation: `query`, `mutation` or `subscription`, and the type's name.
    Root(&'static str, Pairing<&'a str>),
    /// A scalar that needs no definition.
    BuiltIn(Pairing<&'a str>),
    Type(Pairing<&'a Type>),
    /// An interface that a type implements.
    Implements(Pairing<&'a str>),
    /// A member of a union.
    Member(Pairing<&'a str>),
    Field(Pairing<&'a Field>),
    EnumValue(Pairing<&'a EnumValue>),
    Input(Slot, Pairing<&'a Input>),
    Directive(Pairing<&'a Directive>),
    /// A location that a directive allows.
    Location(Pairing<&'a str>),
    /// A use of a directive.
    Use(Pairing<&'a Use>),
}

/// The types that clients of a schema send, and those that they receive.
pub(super) struct Positions<'a> {
    pub sent: HashSet<&'a str>,
    pub received: HashSet<&'a str>,
}

impl<'a> Positions<'a> {
    pub(super) fn of(schema: &'a Schema) -> Self {
        let received = schema.types.iter().flat_map(Type::fields).map(|field| &*field.ty.name).collect();
        let sent = walk::input_values(schema).into_iter().map(|value| &*value.input.ty.name).collect();
        Self { sent, received }
    }
}

/// An element of two schemas, and its coordinate.
pub(super) struct Compared<'a> {
    pub pair: Pair<'a>,
    pub positions: Rc<Positions<'a>>,
    pub coordinate: String,
    pub element: Element<'a>,
}

/// The part of an element that a rule looks at; its span is the one shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// The element as a whole.
    Name,
    Type,
    Default,
    Description,
    Deprecation,
}

/// How an optional text changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextChange {
    Added,
    Removed,
    Changed,
}

impl TextChange {
    /// Returns `None` where both texts are the same.
    pub(super) fn between(old: Option<&str>, new: Option<&str>) -> Option<Self> {
        match (old, new) {
            (None, Some(_)) => Some(Self::Added),
            (Some(_), None) => Some(Self::Removed),
            (Some(old), Some(new)) if old != new => Some(Self::Changed),
            _ => None,
        }
    }
}

impl<'a> Compared<'a> {
    pub(super) fn ty(&self) -> Option<Pairing<&'a Type>> {
        if let Element::Type(pairing) = self.element { Some(pairing) } else { None }
    }

    pub(super) fn field(&self) -> Option<Pairing<&'a Field>> {
        if let Element::Field(pairing) = self.element { Some(pairing) } else { None }
    }

    pub(super) fn input(&self) -> Option<Pairing<&'a Input>> {
        if let Element::Input(_, pairing) = self.element { Some(pairing) } else { None }
    }

    pub(super) fn directive(&self) -> Option<Pairing<&'a Directive>> {
        if let Element::Directive(pairing) = self.element { Some(pairing) } else { None }
    }

    /// Returns the kind and the coordinate of an element, such as "field `Card.name`".
    pub(super) fn label(&self) -> Option<String> {
        let kind = match self.element {
            Element::Type(Pairing::Added(ty) | Pairing::Removed(ty) | Pairing::Kept(_, ty)) => kind_name(ty),
            Element::Field(_) => "field",
            Element::EnumValue(_) => "enum value",
            Element::Input(Slot::Argument, _) => "argument",
            Element::Input(Slot::InputField, _) => "input field",
            Element::Input(Slot::DirectiveArgument, _) => "directive argument",
            Element::Directive(_) => "directive",
            _ => return None,
        };
        Some(format!("{kind} `{}`", self.coordinate))
    }

    /// Returns the message for a changed type of an element.
    pub(super) fn type_message(&self, old: &Ty, new: &Ty) -> Option<String> {
        Some(format!("the type of {} was `{old}` and is `{new}`", self.label()?))
    }

    /// Returns whether the element was added, removed or kept.
    pub(super) fn presence(&self) -> Pairing<()> {
        match self.element {
            Element::Root(_, pairing) | Element::BuiltIn(pairing) | Element::Location(pairing) => pairing.map(|_| ()),
            Element::Implements(pairing) | Element::Member(pairing) => pairing.map(|_| ()),
            Element::Schema(pairing) => pairing.map(|_| ()),
            Element::Type(pairing) => pairing.map(|_| ()),
            Element::Field(pairing) => pairing.map(|_| ()),
            Element::EnumValue(pairing) => pairing.map(|_| ()),
            Element::Input(_, pairing) => pairing.map(|_| ()),
            Element::Directive(pairing) => pairing.map(|_| ()),
            Element::Use(pairing) => pairing.map(|_| ()),
        }
    }

    /// Returns the descriptions of an element that can have one and is in both schemas.
    pub(super) fn descriptions(&self) -> Option<(Option<&'a str>, Option<&'a str>)> {
        let descriptions = match self.element {
            Element::Schema(pairing) => pairing.map(|schema| schema.description.as_deref()),
            Element::Type(pairing) => pairing.map(|ty| ty.description.as_deref()),
            Element::Field(pairing) => pairing.map(|field| field.description.as_deref()),
            Element::EnumValue(pairing) => pairing.map(|value| value.description.as_deref()),
            Element::Input(_, pairing) => pairing.map(|input| input.description.as_deref()),
            Element::Directive(pairing) => pairing.map(|directive| directive.description.as_deref()),
            _ => return None,
        };
        descriptions.kept()
    }

    /// Returns how the description of an element changed.
    pub(super) fn description_change(&self) -> Option<TextChange> {
        let (old, new) = self.descriptions()?;
        TextChange::between(old, new)
    }

    /// Returns the deprecation reasons of an element that can be deprecated.
    pub(super) fn deprecations(&self) -> Option<Pairing<Option<&'a str>>> {
        match self.element {
            Element::Field(pairing) => Some(pairing.map(|field| field.deprecated.as_deref())),
            Element::EnumValue(pairing) => Some(pairing.map(|value| value.deprecated.as_deref())),
            Element::Input(_, pairing) => Some(pairing.map(|input| input.deprecated.as_deref())),
            _ => None,
        }
    }

    pub(super) fn deprecation_change(&self) -> Option<TextChange> {
        let (old, new) = self.deprecations()?.kept()?;
        TextChange::between(old, new)
    }

    /// Returns the deprecation reason in the old schema.
    pub(super) fn deprecated(&self) -> Option<&'a str> {
        self.deprecations()?.old()?
    }

    /// Returns the spans of the element in the old and in the new file; where the new file lacks it, its parent's.
    pub(super) fn spans(&self, aspect: Aspect) -> (Option<Span>, Option<Span>) {
        let within = |sdl: &Sdl, name: &str| sdl.spans.inside(&self.coordinate, name);
        let pointed = |sdl: &Sdl| match self.element {
            Element::Implements(Pairing::Added(name) | Pairing::Removed(name))
            | Element::Member(Pairing::Added(name) | Pairing::Removed(name)) => within(sdl, name),
            Element::Root(operation, _) => within(sdl, operation).or_else(|| Some(sdl.top())),
            // No line defines a built-in scalar.
            Element::Schema(..) | Element::BuiltIn(_) => Some(sdl.top()),
            Element::Use(Pairing::Added(used) | Pairing::Removed(used) | Pairing::Kept(used, _)) => {
                sdl.use_of(&self.coordinate, &used.name).map(|used| used.span)
            }
            _ => sdl.spans.get(&self.coordinate).map(|spans| match aspect {
                Aspect::Name => spans.name,
                Aspect::Type => spans.ty.unwrap_or(spans.name),
                Aspect::Default => spans.default.unwrap_or(spans.name),
                Aspect::Description => spans.description.unwrap_or(spans.name),
                Aspect::Deprecation => {
                    spans.uses.iter().find(|used| used.name == "deprecated").map_or(spans.name, |used| used.span)
                }
            }),
        };
        let new = pointed(self.pair.new).or_else(|| self.pair.new.span(&self.coordinate));
        (pointed(self.pair.old), new)
    }
}

fn kind_name(ty: &Type) -> &'static str {
    match ty.kind {
        Kind::Scalar { .. } => "scalar",
        Kind::Object { .. } => "type",
        Kind::Interface { .. } => "interface",
        Kind::Union { .. } => "union",
        Kind::Enum { .. } => "enum",
        Kind::Input { .. } => "input",
    }
}
