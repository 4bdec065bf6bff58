//! Finds what to compare: walks two schemas side by side and yields what stands at each coordinate in both.
//!
//! Only [`super::kind`] reads it. Below something that was added, removed, or turned into something else there is nothing
//! to compare, and nothing is yielded (as graphql-js does).

use std::collections::BTreeSet;

use super::{Aspect, Pair, compatible, default};
use crate::coordinate;
use crate::diagnostic::Span;
use crate::model::{Directive, EnumValue, Field, Input, Kind, Schema, Type};
use crate::place::Use;
use crate::sdl::Sdl;

/// Something in the old schema, in the new one, or in both.
#[derive(Clone, Copy, Debug)]
pub(super) enum Both<T> {
    Added(T),
    Removed(T),
    Kept(T, T),
}

impl<T: Copy> Both<T> {
    pub fn added(&self) -> Option<T> {
        if let Self::Added(new) = self { Some(*new) } else { None }
    }

    pub fn removed(&self) -> Option<T> {
        if let Self::Removed(old) = self { Some(*old) } else { None }
    }

    /// The old and the new.
    pub fn kept(&self) -> Option<(T, T)> {
        if let Self::Kept(old, new) = self { Some((*old, *new)) } else { None }
    }

    fn of(old: Option<T>, new: Option<T>) -> Option<Self> {
        match (old, new) {
            (Some(old), Some(new)) => Some(Self::Kept(old, new)),
            (Some(old), None) => Some(Self::Removed(old)),
            (None, Some(new)) => Some(Self::Added(new)),
            (None, None) => None,
        }
    }
}

/// What takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Argument,
    InputField,
    DirectiveArgument,
}

/// What stands at a coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen<'a> {
    Schema(&'a Schema, &'a Schema),
    /// The type of an operation.
    Root(&'static str, Both<&'a str>),
    /// One of the five scalars that need no definition.
    BuiltIn(Both<&'a str>),
    Type(Both<&'a Type>),
    /// An interface that a type implements.
    Implements(Both<&'a str>),
    /// A member of a union.
    Member(Both<&'a str>),
    Field(Both<&'a Field>),
    Value(Both<&'a EnumValue>),
    Input(Slot, Both<&'a Input>),
    Directive(Both<&'a Directive>),
    /// Where a directive may stand.
    Location(Both<&'a str>),
    /// A directive where it is used.
    Use(Both<&'a Use>),
}

/// A coordinate, and what stands there.
pub(super) struct Spot<'a> {
    pub pair: Pair<'a>,
    pub coordinate: String,
    pub seen: Seen<'a>,
}

/// How a text changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Added,
    Removed,
    Changed,
}

/// How an optional text changed, where it did.
pub(super) fn told(old: Option<&str>, new: Option<&str>) -> Option<Told> {
    match (old, new) {
        (None, Some(_)) => Some(Told::Added),
        (Some(_), None) => Some(Told::Removed),
        (Some(old), Some(new)) if old != new => Some(Told::Changed),
        _ => None,
    }
}

impl<'a> Spot<'a> {
    pub fn ty(&self) -> Option<Both<&'a Type>> {
        if let Seen::Type(both) = self.seen { Some(both) } else { None }
    }

    /// The kinds of a type that is in both.
    pub fn kinds(&self) -> Option<(&'a Kind, &'a Kind)> {
        self.ty()?.kept().map(|(old, new)| (&old.kind, &new.kind))
    }

    pub fn field(&self) -> Option<Both<&'a Field>> {
        if let Seen::Field(both) = self.seen { Some(both) } else { None }
    }

    pub fn value(&self) -> Option<Both<&'a EnumValue>> {
        if let Seen::Value(both) = self.seen { Some(both) } else { None }
    }

    pub fn input(&self, slot: Slot) -> Option<Both<&'a Input>> {
        if let Seen::Input(own, both) = self.seen { (own == slot).then_some(both) } else { None }
    }

    pub fn directive(&self) -> Option<Both<&'a Directive>> {
        if let Seen::Directive(both) = self.seen { Some(both) } else { None }
    }

    /// An input whose type still takes every value that it took: old and new.
    pub fn widened(&self, slot: Slot) -> Option<(&'a Input, &'a Input)> {
        self.input(slot)?.kept().filter(|(old, new)| compatible::input(&old.ty, &new.ty))
    }

    /// An input whose type no longer takes every value that it took: old and new.
    pub fn narrowed(&self, slot: Slot) -> Option<(&'a Input, &'a Input)> {
        self.input(slot)?.kept().filter(|(old, new)| !compatible::input(&old.ty, &new.ty))
    }

    /// Whether an input of an unchanged or wider type must now be given, and did not have to be.
    pub fn made_required(&self, slot: Slot) -> bool {
        self.widened(slot).is_some_and(|(old, new)| is_required(new) && !is_required(old))
    }

    /// The default of an input before and after, in one spelling each, where it changed and the input is not required.
    pub fn default(&self, slot: Slot) -> Option<(Option<String>, Option<String>)> {
        let (old, new) = self.widened(slot).filter(|_| !self.made_required(slot))?;
        let (old, new) = (default::normal(&self.pair.old.schema, old), default::normal(&self.pair.new.schema, new));
        (old != new).then_some((old, new))
    }

    /// Where it stood in the old file and where it stands in the new; where it is gone, what it was taken from.
    pub fn spans(&self, aspect: Aspect) -> (Option<Span>, Option<Span>) {
        let within = |sdl: &Sdl, name: &str| sdl.places.inside(&self.coordinate, name);
        let pointed = |sdl: &Sdl| match self.seen {
            Seen::Implements(Both::Added(name) | Both::Removed(name))
            | Seen::Member(Both::Added(name) | Both::Removed(name)) => within(sdl, name),
            Seen::Root(operation, _) => within(sdl, operation).or_else(|| Some(sdl.top())),
            // Nothing says that a built-in scalar is there: every place that names it does.
            Seen::Schema(..) | Seen::BuiltIn(_) => Some(sdl.top()),
            Seen::Use(Both::Added(used) | Both::Removed(used) | Both::Kept(used, _)) => {
                sdl.use_of(&self.coordinate, &used.name).map(|used| used.span)
            }
            _ => sdl.places.get(&self.coordinate).map(|place| match aspect {
                Aspect::Name => place.name,
                Aspect::Type => place.ty.unwrap_or(place.name),
                Aspect::Default => place.default.unwrap_or(place.name),
                Aspect::Description => place.description.unwrap_or(place.name),
                Aspect::Deprecation => {
                    place.uses.iter().find(|used| used.name == "deprecated").map_or(place.name, |used| used.span)
                }
            }),
        };
        let new = pointed(self.pair.new).or_else(|| self.pair.new.span(&self.coordinate));
        (pointed(self.pair.old), new)
    }

    /// Whether something is gone.
    pub fn is_removal(&self) -> bool {
        match self.seen {
            Seen::Schema(..) => false,
            Seen::Root(_, both) | Seen::BuiltIn(both) | Seen::Implements(both) | Seen::Member(both) => {
                both.removed().is_some()
            }
            Seen::Location(both) => both.removed().is_some(),
            Seen::Type(both) => both.removed().is_some(),
            Seen::Field(both) => both.removed().is_some(),
            Seen::Value(both) => both.removed().is_some(),
            Seen::Input(_, both) => both.removed().is_some(),
            Seen::Directive(both) => both.removed().is_some(),
            Seen::Use(both) => both.removed().is_some(),
        }
    }

    /// Why the old schema said that it would go, where it did.
    pub fn deprecated(&self) -> Option<&'a str> {
        match self.seen {
            Seen::Field(Both::Removed(old) | Both::Kept(old, _)) => old.deprecated.as_deref(),
            Seen::Value(Both::Removed(old) | Both::Kept(old, _)) => old.deprecated.as_deref(),
            Seen::Input(_, Both::Removed(old) | Both::Kept(old, _)) => old.deprecated.as_deref(),
            _ => None,
        }
    }
}

/// Whether a value must be given.
pub(super) fn is_required(input: &Input) -> bool {
    input.ty.is_non_null() && input.default.is_none()
}

/// Everything there is to compare.
pub(super) fn walk(pair: Pair<'_>) -> Vec<Spot<'_>> {
    let mut walk = Walk { pair, spots: vec![] };
    let (old, new) = (&pair.old.schema, &pair.new.schema);
    walk.add(coordinate::SCHEMA, Seen::Schema(old, new));
    walk.uses(coordinate::SCHEMA);
    walk.add(coordinate::SCHEMA, Seen::Root("query", Both::Kept(&old.query, &new.query)));
    if let Some(both) = Both::of(old.mutation.as_deref(), new.mutation.as_deref()) {
        walk.add(coordinate::SCHEMA, Seen::Root("mutation", both));
    }
    for (name, both) in matched(&old.directives, &new.directives, |directive| &directive.name) {
        walk.directive(&coordinate::directive(name), both);
    }
    let (before, now) = (used_built_ins(old), used_built_ins(new));
    for name in BUILT_IN {
        match (before.contains(&name), now.contains(&name)) {
            (true, false) => walk.add(name, Seen::BuiltIn(Both::Removed(name))),
            (false, true) => walk.add(name, Seen::BuiltIn(Both::Added(name))),
            _ => {}
        }
    }
    for (name, both) in matched(&old.types, &new.types, |ty| &ty.name) {
        walk.ty(name, both);
    }
    walk.spots
}

/// The scalars that a schema has only where something is of that type; introspection itself uses `String` and `Boolean`.
const BUILT_IN: [&str; 3] = ["ID", "Int", "Float"];

/// Those of [`BUILT_IN`] that a schema has without defining them.
fn used_built_ins(schema: &Schema) -> Vec<&'static str> {
    let mut named = BTreeSet::new();
    for ty in &schema.types {
        let fields = ty.fields().iter().flat_map(|field| field.args.iter().map(|a| &a.ty).chain([&field.ty]));
        named.extend(fields.map(|ty| &*ty.name));
        if let Kind::Input { fields, .. } = &ty.kind {
            named.extend(fields.iter().map(|field| &*field.ty.name));
        }
    }
    named.extend(schema.directives.iter().flat_map(|directive| directive.args.iter().map(|arg| &*arg.ty.name)));
    let unseen = |name: &&str| named.contains(*name) && schema.get(name).is_none();
    BUILT_IN.into_iter().filter(unseen).collect()
}

/// Items of two lists by name: the old ones in their order, then what was added.
fn matched<'a, T>(old: &'a [T], new: &'a [T], name: impl Fn(&'a T) -> &'a str) -> Vec<(&'a str, Both<&'a T>)> {
    let mut both = vec![];
    for item in old {
        let own = name(item);
        let now = new.iter().find(|item| name(item) == own);
        both.push((own, now.map_or(Both::Removed(item), |now| Both::Kept(item, now))));
    }
    let added = new.iter().filter(|item| !old.iter().any(|old| name(old) == name(item)));
    both.extend(added.map(|item| (name(item), Both::Added(item))));
    both
}

struct Walk<'a> {
    pair: Pair<'a>,
    spots: Vec<Spot<'a>>,
}

impl<'a> Walk<'a> {
    fn add(&mut self, coordinate: &str, seen: Seen<'a>) {
        self.spots.push(Spot { pair: self.pair, coordinate: coordinate.to_owned(), seen });
    }

    fn directive(&mut self, name: &str, both: Both<&'a Directive>) {
        self.add(name, Seen::Directive(both));
        let Some((old, new)) = both.kept() else { return };
        for location in names(&old.locations, &new.locations) {
            self.add(name, Seen::Location(location));
        }
        for (input, both) in matched(&old.args, &new.args, |input| &input.name) {
            self.add(&coordinate::argument(name, input), Seen::Input(Slot::DirectiveArgument, both));
        }
    }

    fn ty(&mut self, name: &str, both: Both<&'a Type>) {
        self.add(name, Seen::Type(both));
        let Some((old, new)) = both.kept() else { return };
        self.uses(name);
        match (&old.kind, &new.kind) {
            (Kind::Object { .. }, Kind::Object { .. }) | (Kind::Interface { .. }, Kind::Interface { .. }) => {
                for interface in names(old.implements(), new.implements()) {
                    self.add(name, Seen::Implements(interface));
                }
                for (field, both) in matched(old.fields(), new.fields(), |field| &field.name) {
                    self.field(&coordinate::member(name, field), both);
                }
            }
            (Kind::Union { members: old }, Kind::Union { members: new }) => {
                for member in names(old, new) {
                    self.add(name, Seen::Member(member));
                }
            }
            (Kind::Enum { values: old }, Kind::Enum { values: new }) => {
                for (value, both) in matched(old, new, |value| &value.name) {
                    let at = coordinate::member(name, value);
                    self.add(&at, Seen::Value(both));
                    self.uses_where(both.kept().is_some(), &at);
                }
            }
            (Kind::Input { fields: old, .. }, Kind::Input { fields: new, .. }) => {
                for (field, both) in matched(old, new, |field| &field.name) {
                    let at = coordinate::member(name, field);
                    self.add(&at, Seen::Input(Slot::InputField, both));
                    self.uses_where(both.kept().is_some(), &at);
                }
            }
            _ => {}
        }
    }

    fn field(&mut self, at: &str, both: Both<&'a Field>) {
        self.add(at, Seen::Field(both));
        let Some((old, new)) = both.kept() else { return };
        self.uses(at);
        for (input, both) in matched(&old.args, &new.args, |input| &input.name) {
            let at = coordinate::argument(at, input);
            self.add(&at, Seen::Input(Slot::Argument, both));
            self.uses_where(both.kept().is_some(), &at);
        }
    }

    fn uses_where(&mut self, kept: bool, at: &str) {
        if kept {
            self.uses(at);
        }
    }

    /// The directives on something that is in both; those of the specification have kinds of their own. The second of
    /// one name is compared with the second.
    fn uses(&mut self, at: &str) {
        let of_ours = |sdl: &'a Sdl| -> Vec<&'a Use> {
            let uses = sdl.places.uses(at).iter();
            uses.filter(|used| !["deprecated", "specifiedBy", "oneOf"].contains(&&*used.name)).collect()
        };
        let (old, new) = (of_ours(self.pair.old), of_ours(self.pair.new));
        let names: BTreeSet<&str> = old.iter().chain(&new).map(|used| &*used.name).collect();
        for name in names {
            let mut before = old.iter().filter(|used| used.name == name);
            let mut now = new.iter().filter(|used| used.name == name);
            while let Some(both) = Both::of(before.next().copied(), now.next().copied()) {
                self.add(at, Seen::Use(both));
            }
        }
    }
}

/// Names that are only in one of two lists.
fn names<'a, S: AsRef<str>>(old: &'a [S], new: &'a [S]) -> Vec<Both<&'a str>> {
    let all = matched(old, new, |name| name.as_ref());
    let changed = all.into_iter().filter_map(|(name, both)| match both {
        Both::Added(_) => Some(Both::Added(name)),
        Both::Removed(_) => Some(Both::Removed(name)),
        Both::Kept(..) => None,
    });
    changed.collect()
}
