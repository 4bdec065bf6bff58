//! Pairs the elements of two schemas by coordinate. Called by [`super::change`].
//!
//! Below an element that was added or removed, and below a type of another kind, nothing is compared (as in graphql-js).

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::element::{Compared, Element, Pair, Pairing, Positions, Slot};
use crate::coordinate;
use crate::model::{Directive, Field, Kind, Schema, Type};
use crate::sdl::Sdl;
use crate::span_index::Use;

/// Pairs every element of two schemas.
pub(super) fn compare(pair: Pair<'_>) -> Vec<Compared<'_>> {
    let mut comparison = Comparison { pair, positions: Rc::new(Positions::of(&pair.old.schema)), found: vec![] };
    let (old, new) = (&pair.old.schema, &pair.new.schema);
    comparison.add(coordinate::SCHEMA, Element::Schema(Pairing::Kept(old, new)));
    comparison.uses(coordinate::SCHEMA);
    comparison.add(coordinate::SCHEMA, Element::Root("query", Pairing::Kept(&old.query, &new.query)));
    let optional = [("mutation", &old.mutation, &new.mutation), ("subscription", &old.subscription, &new.subscription)];
    for (operation, old, new) in optional {
        if let Some(pairing) = Pairing::of(old.as_deref(), new.as_deref()) {
            comparison.add(coordinate::SCHEMA, Element::Root(operation, pairing));
        }
    }
    for (name, pairing) in matched(&old.directives, &new.directives, |directive| &directive.name) {
        comparison.directive(&coordinate::directive(name), pairing);
    }
    let (before, after) = (used_built_ins(old), used_built_ins(new));
    for name in BUILT_IN {
        match (before.contains(&name), after.contains(&name)) {
            (true, false) => comparison.add(name, Element::BuiltIn(Pairing::Removed(name))),
            (false, true) => comparison.add(name, Element::BuiltIn(Pairing::Added(name))),
            _ => {}
        }
    }
    for (name, pairing) in matched(&old.types, &new.types, |ty| &ty.name) {
        comparison.ty(name, pairing);
    }
    comparison.found
}

/// The scalars that a schema has only where an element is of that type; introspection itself uses `String` and `Boolean`.
const BUILT_IN: [&str; 3] = ["ID", "Int", "Float"];

/// Returns those of [`BUILT_IN`] that a schema uses without defining them.
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
    let undefined = |name: &&str| named.contains(*name) && schema.get(name).is_none();
    BUILT_IN.into_iter().filter(undefined).collect()
}

/// Pairs the items of two lists by name: the old ones in their order, then the added ones.
fn matched<'a, T>(old: &'a [T], new: &'a [T], name: impl Fn(&'a T) -> &'a str) -> Vec<(&'a str, Pairing<&'a T>)> {
    let by_name = |items: &'a [T]| -> HashMap<&'a str, &'a T> { items.iter().map(|item| (name(item), item)).collect() };
    let (olds, news) = (by_name(old), by_name(new));
    let kept = old.iter().map(|item| (name(item), item)).map(|(name, item)| match news.get(name) {
        Some(other) => (name, Pairing::Kept(item, *other)),
        None => (name, Pairing::Removed(item)),
    });
    let added = new.iter().filter(|item| !olds.contains_key(name(item)));
    kept.chain(added.map(|item| (name(item), Pairing::Added(item)))).collect()
}

struct Comparison<'a> {
    pair: Pair<'a>,
    positions: Rc<Positions<'a>>,
    found: Vec<Compared<'a>>,
}

impl<'a> Comparison<'a> {
    fn add(&mut self, coordinate: &str, element: Element<'a>) {
        let (pair, positions) = (self.pair, Rc::clone(&self.positions));
        self.found.push(Compared { pair, positions, coordinate: coordinate.to_owned(), element });
    }

    fn directive(&mut self, name: &str, pairing: Pairing<&'a Directive>) {
        self.add(name, Element::Directive(pairing));
        let Some((old, new)) = pairing.kept() else { return };
        for location in names(&old.locations, &new.locations) {
            self.add(name, Element::Location(location));
        }
        for (input, pairing) in matched(&old.args, &new.args, |input| &input.name) {
            self.add(&coordinate::argument(name, input), Element::Input(Slot::DirectiveArgument, pairing));
        }
    }

    fn ty(&mut self, name: &str, pairing: Pairing<&'a Type>) {
        self.add(name, Element::Type(pairing));
        let Some((old, new)) = pairing.kept() else { return };
        self.uses(name);
        match (&old.kind, &new.kind) {
            (Kind::Object { .. }, Kind::Object { .. }) | (Kind::Interface { .. }, Kind::Interface { .. }) => {
                for interface in names(old.implements(), new.implements()) {
                    self.add(name, Element::Implements(interface));
                }
                for (field, pairing) in matched(old.fields(), new.fields(), |field| &field.name) {
                    self.field(&coordinate::member(name, field), pairing);
                }
            }
            (Kind::Union { members: old }, Kind::Union { members: new }) => {
                for member in names(old, new) {
                    self.add(name, Element::Member(member));
                }
            }
            (Kind::Enum { values: old }, Kind::Enum { values: new }) => {
                for (value, pairing) in matched(old, new, |value| &value.name) {
                    self.add_with_uses(&coordinate::member(name, value), Element::EnumValue(pairing));
                }
            }
            (Kind::Input { fields: old, .. }, Kind::Input { fields: new, .. }) => {
                for (field, pairing) in matched(old, new, |field| &field.name) {
                    self.add_with_uses(&coordinate::member(name, field), Element::Input(Slot::InputField, pairing));
                }
            }
            _ => {}
        }
    }

    fn field(&mut self, at: &str, pairing: Pairing<&'a Field>) {
        self.add_with_uses(at, Element::Field(pairing));
        let Some((old, new)) = pairing.kept() else { return };
        for (input, pairing) in matched(&old.args, &new.args, |input| &input.name) {
            self.add_with_uses(&coordinate::argument(at, input), Element::Input(Slot::Argument, pairing));
        }
    }

    /// Adds an element, and the directives on it where both schemas have it.
    fn add_with_uses(&mut self, at: &str, element: Element<'a>) {
        self.add(at, element);
        if self.found.last().is_some_and(|compared| compared.presence().kept().is_some()) {
            self.uses(at);
        }
    }

    /// Adds the directives on an element, except those of the specification, which have rules of their own. The second
    /// use of a directive is paired with the second.
    fn uses(&mut self, at: &str) {
        let own = |sdl: &'a Sdl| -> Vec<&'a Use> {
            let uses = sdl.spans.uses(at).iter();
            uses.filter(|used| !["deprecated", "specifiedBy", "oneOf"].contains(&&*used.name)).collect()
        };
        let (old, new) = (own(self.pair.old), own(self.pair.new));
        let names: BTreeSet<&str> = old.iter().chain(&new).map(|used| &*used.name).collect();
        for name in names {
            let mut before = old.iter().filter(|used| used.name == name);
            let mut after = new.iter().filter(|used| used.name == name);
            while let Some(pairing) = Pairing::of(before.next().copied(), after.next().copied()) {
                self.add(at, Element::Use(pairing));
            }
        }
    }
}

/// Returns the names that are in only one of two lists.
fn names<'a, S: AsRef<str>>(old: &'a [S], new: &'a [S]) -> impl Iterator<Item = Pairing<&'a str>> {
    let all = matched(old, new, |name| name.as_ref());
    let all = all.into_iter().map(|(_, pairing)| pairing.map(AsRef::as_ref));
    all.filter(|pairing| !matches!(pairing, Pairing::Kept(..)))
}
