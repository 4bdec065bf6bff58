//! Walks two schemas from the root to the arguments and compares the elements with the same coordinate.
//!
//! Below an element that was added or removed, and below a type of another kind, nothing is compared (as in graphql-js).

use std::collections::{BTreeSet, HashMap};
use std::mem::discriminant;

use super::{Change, Pair, compatible, default, rule};
use crate::coordinate;
use crate::diagnostic::Span;
use crate::model::{Directive, Field, Input, Kind, Schema, Ty, Type};
use crate::numbers::numbers;
use crate::sdl::Sdl;
use crate::span_index::Use;

/// Returns every change from the old schema to the new one, in the order of the old.
pub fn find(pair: Pair<'_>) -> Vec<Change> {
    let mut comparison = Comparison { pair, found: vec![] };
    comparison.schema();
    comparison.found
}

struct Comparison<'a> {
    pair: Pair<'a>,
    found: Vec<Change>,
}

/// The part of an element that is shown.
#[derive(Clone, Copy)]
enum Part<'a> {
    Name,
    Type,
    Default,
    Description,
    /// The use of a directive on it.
    Use(&'a str),
    /// The name of an interface, a member or a root in it.
    Inside(&'a str),
}

/// The scalars that a schema has only where an element is of that type; introspection itself uses `String` and `Boolean`.
const BUILT_IN: [&str; 3] = ["ID", "Int", "Float"];

impl<'a> Comparison<'a> {
    fn schema(&mut self) {
        let (old, new) = (&self.pair.old.schema, &self.pair.new.schema);
        let at = coordinate::SCHEMA;
        self.description(at, old.description.as_deref(), new.description.as_deref());
        self.uses(at);
        let roots = [
            ("query", Some(&old.query), Some(&new.query)),
            ("mutation", old.mutation.as_ref(), new.mutation.as_ref()),
            ("subscription", old.subscription.as_ref(), new.subscription.as_ref()),
        ];
        for (operation, old, new) in roots {
            let part = Part::Inside(operation);
            match (old, new) {
                (Some(old), None) => {
                    self.removed("root-removed", at, part, format!("the {operation} root `{old}`"), None);
                }
                (None, Some(new)) => self.added("root-added", at, part, format!("the {operation} root `{new}`")),
                (Some(old), Some(new)) if old != new => {
                    self.changed("root-changed", at, part, format!("the {operation} root was `{old}` and is `{new}`"));
                }
                _ => {}
            }
        }
        for (name, old, new) in matched(&old.directives, &new.directives, |directive| &directive.name) {
            self.directive(&coordinate::directive(name), old, new);
        }
        let (before, after) = (used_built_ins(old), used_built_ins(new));
        before.difference(&after).for_each(|name| {
            self.removed("type-removed", name, Part::Name, format!("the last use of scalar `{name}`"), None);
        });
        after.difference(&before).for_each(|name| {
            self.added("type-added", name, Part::Name, format!("the first use of scalar `{name}`"));
        });
        for (name, old, new) in matched(&old.types, &new.types, |ty| &ty.name) {
            self.ty(name, old, new);
        }
    }

    fn directive(&mut self, at: &str, old: Option<&'a Directive>, new: Option<&'a Directive>) {
        let Some((old, new)) = self.both("directive", at, old, new, |_| None) else { return };
        self.description(at, old.description.as_deref(), new.description.as_deref());
        if old.repeatable && !new.repeatable {
            let message = format!("directive `{at}` is no longer repeatable");
            self.changed("directive-repeatable-removed", at, Part::Name, message);
        } else if new.repeatable && !old.repeatable {
            let message = format!("directive `{at}` is repeatable from now on");
            self.changed("directive-repeatable-added", at, Part::Name, message);
        }
        for (name, old, new) in matched(&old.locations, &new.locations, |name| name) {
            let what = format!("location {name} of directive `{at}`");
            match (old, new) {
                (Some(_), None) => self.removed("directive-location-removed", at, Part::Name, what, None),
                (None, Some(_)) => self.added("directive-location-added", at, Part::Name, what),
                _ => {}
            }
        }
        for (name, old, new) in matched(&old.args, &new.args, |input| &input.name) {
            self.input("directive-argument", &coordinate::argument(at, name), old, new);
        }
    }

    fn ty(&mut self, at: &str, old: Option<&'a Type>, new: Option<&'a Type>) {
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => (old, new),
            (Some(old), None) => {
                return self.removed("type-removed", at, Part::Name, format!("{} `{at}`", kind_name(old).1), None);
            }
            (_, new) => {
                let kind = new.map_or("type", |new| kind_name(new).1);
                return self.added("type-added", at, Part::Name, format!("{kind} `{at}`"));
            }
        };
        self.description(at, old.description.as_deref(), new.description.as_deref());
        self.uses(at);
        if discriminant(&old.kind) != discriminant(&new.kind) {
            let message = format!("`{at}` was {} and is {}", kind_name(old).0, kind_name(new).0);
            return self.changed("type-kind-changed", at, Part::Name, message);
        }
        self.names(at, "implemented-interface", "interface", old.implements(), new.implements());
        for (name, old, new) in matched(old.fields(), new.fields(), |field| &field.name) {
            self.field(&coordinate::member(at, name), old, new);
        }
        match (&old.kind, &new.kind) {
            (Kind::Scalar { specified_by: old }, Kind::Scalar { specified_by: new }) if old != new => {
                let message = format!("the specification of scalar `{at}` changed");
                self.changed("scalar-specification-changed", at, Part::Name, message);
            }
            (Kind::Union { members: old }, Kind::Union { members: new }) => {
                self.names(at, "union-member", "member", old, new);
            }
            (Kind::Enum { values: old }, Kind::Enum { values: new }) => {
                for (name, old, new) in matched(old, new, |value| &value.name) {
                    let at = coordinate::member(at, name);
                    let kept = self.both("enum-value", &at, old, new, |value| value.deprecated.as_deref());
                    let Some((old, new)) = kept else { continue };
                    self.description(&at, old.description.as_deref(), new.description.as_deref());
                    self.deprecation(&at, old.deprecated.as_deref(), new.deprecated.as_deref());
                    self.uses(&at);
                }
            }
            (Kind::Input { fields: old, one_of: was }, Kind::Input { fields: new, one_of: is }) => {
                if *is && !was {
                    self.changed("one-of-added", at, Part::Name, format!("input `{at}` became `@oneOf`"));
                } else if *was && !is {
                    self.changed("one-of-removed", at, Part::Name, format!("input `{at}` is no longer `@oneOf`"));
                }
                for (name, old, new) in matched(old, new, |field| &field.name) {
                    self.input("input-field", &coordinate::member(at, name), old, new);
                }
            }
            _ => {}
        }
    }

    /// Compares the names of interfaces or members.
    fn names(&mut self, at: &str, rule: &str, what: &str, old: &'a [String], new: &'a [String]) {
        for (name, old, new) in matched(old, new, |name| name) {
            let (part, what) = (Part::Inside(name), format!("{what} `{name}` of `{at}`"));
            match (old, new) {
                (Some(_), None) => self.removed(&format!("{rule}-removed"), at, part, what, None),
                (None, Some(_)) => self.added(&format!("{rule}-added"), at, part, what),
                _ => {}
            }
        }
    }

    fn field(&mut self, at: &str, old: Option<&'a Field>, new: Option<&'a Field>) {
        let Some((old, new)) = self.both("field", at, old, new, |field| field.deprecated.as_deref()) else { return };
        let is_safe = compatible::output(&old.ty, &new.ty);
        self.ty_of(at, "field", if is_safe { "field-type-narrowed" } else { "field-type-changed" }, &old.ty, &new.ty);
        self.description(at, old.description.as_deref(), new.description.as_deref());
        self.deprecation(at, old.deprecated.as_deref(), new.deprecated.as_deref());
        self.uses(at);
        for (name, old, new) in matched(&old.args, &new.args, |input| &input.name) {
            self.input("argument", &coordinate::argument(at, name), old, new);
        }
    }

    /// Compares an input value. `slot` is where it is defined: `argument`, `input-field` or `directive-argument`.
    fn input(&mut self, slot: &str, at: &str, old: Option<&'a Input>, new: Option<&'a Input>) {
        let label = slot.replace('-', " ");
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => (old, new),
            (Some(old), None) => {
                let reason = old.deprecated.as_deref();
                return self.removed(&format!("{slot}-removed"), at, Part::Name, format!("{label} `{at}`"), reason);
            }
            (_, new) => {
                let need = if new.is_some_and(is_required) { "required" } else { "optional" };
                return self.added(&format!("{need}-{slot}-added"), at, Part::Name, format!("{need} {label} `{at}`"));
            }
        };
        let is_safe = compatible::input(&old.ty, &new.ty);
        let rule = format!("{slot}-type-{}", if is_safe { "widened" } else { "changed" });
        self.ty_of(at, &label, &rule, &old.ty, &new.ty);
        if is_safe {
            self.default(slot, at, old, new);
        }
        self.description(at, old.description.as_deref(), new.description.as_deref());
        self.deprecation(at, old.deprecated.as_deref(), new.deprecated.as_deref());
        if slot != "directive-argument" {
            self.uses(at);
        }
    }

    /// Compares the defaults of an input value by their meaning.
    fn default(&mut self, slot: &str, at: &str, old: &Input, new: &Input) {
        let label = format!("{} `{at}`", slot.replace('-', " "));
        if is_required(new) && !is_required(old) {
            let message = format!("{label} lost its default and must be given");
            return self.changed(&format!("{slot}-made-required"), at, Part::Default, message);
        }
        let normal = |sdl: &Sdl, input| default::normal(&sdl.schema, input);
        let (was, is) = (normal(self.pair.old, old), normal(self.pair.new, new));
        let message = match (&was, &is) {
            _ if was == is => return,
            (None, Some(is)) => format!("the default `{is}` was added to {label}"),
            (Some(was), None) => format!("the default `{was}` was removed from {label}"),
            (was, is) => {
                let [was, is] = [was, is].map(|text| text.as_deref().unwrap_or_default());
                format!("the default was `{was}` and is `{is}` of {label}")
            }
        };
        // graphql-js tells an added default of an argument from a changed one.
        let what = if was.is_none() && slot == "argument" { "added" } else { "changed" };
        self.changed(&format!("{slot}-default-{what}"), at, Part::Default, message);
    }

    fn ty_of(&mut self, at: &str, label: &str, rule: &str, old: &Ty, new: &Ty) {
        if old != new {
            self.changed(rule, at, Part::Type, format!("the type of {label} `{at}` was `{old}` and is `{new}`"));
        }
    }

    fn description(&mut self, at: &str, old: Option<&str>, new: Option<&str>) {
        let message = match (old, new) {
            _ if old == new => return,
            (None, _) => format!("the description was added to `{at}`"),
            (_, None) => format!("the description was removed from `{at}`"),
            _ => format!("the description of `{at}` changed"),
        };
        self.changed("description-changed", at, Part::Description, message);
        let (was, is) = (numbers(old.unwrap_or_default()), numbers(new.unwrap_or_default()));
        let mut left = is.clone();
        let gone = was.iter().any(|number| match left.iter().position(|other| other == number) {
            Some(found) => left.swap_remove(found).is_empty(),
            None => true,
        });
        // A number that is mentioned for the first time is no change of the old ones.
        if gone {
            let [was, is] = [was, is].map(|list| if list.is_empty() { "none".to_owned() } else { list.join(", ") });
            let message = format!("a number in the description of `{at}` changed: {was} became {is}");
            self.changed("number-changed", at, Part::Description, message);
        }
    }

    fn deprecation(&mut self, at: &str, old: Option<&str>, new: Option<&str>) {
        let part = Part::Use("deprecated");
        match (old, new) {
            (None, Some(_)) => self.changed("deprecated", at, part, format!("`{at}` is deprecated from now on")),
            (Some(_), None) => self.changed("undeprecated", at, part, format!("`{at}` is no longer deprecated")),
            (Some(old), Some(new)) if old != new => {
                let message = format!("the reason for the deprecation of `{at}` changed");
                self.changed("deprecation-reason-changed", at, part, message);
            }
            _ => {}
        }
    }

    /// Compares the directives on an element, except those of the specification, which have rules of their own. The second
    /// use of a directive is compared with the second, both with the defaults of the new schema, whose change is another finding.
    fn uses(&mut self, at: &str) {
        let own = |sdl: &'a Sdl| -> Vec<&'a Use> {
            let uses = sdl.spans.uses(at).iter();
            uses.filter(|used| !["deprecated", "specifiedBy", "oneOf"].contains(&&*used.name)).collect()
        };
        let (old, new) = (own(self.pair.old), own(self.pair.new));
        let names: BTreeSet<&str> = old.iter().chain(&new).map(|used| &*used.name).collect();
        for name in names {
            let (mut before, mut after) = (old.iter(), new.iter());
            loop {
                let mut next = || {
                    let named = |used: &&&Use| used.name == name;
                    (before.by_ref().find(named), after.by_ref().find(named))
                };
                let (rule, part) = ("directive-use-changed", Part::Use(name));
                match next() {
                    (None, None) => break,
                    (Some(_), None) => self.removed(rule, at, part, format!("`@{name}` on `{at}`"), None),
                    (None, Some(_)) => self.added(rule, at, part, format!("`@{name}` on `{at}`")),
                    (Some(old), Some(new)) if !default::same_arguments(&self.pair.new.schema, old, new) => {
                        self.changed(rule, at, part, format!("the arguments of `@{name}` on `{at}` changed"));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns both elements, or adds the change that one of the schemas does not have it.
    fn both<T>(
        &mut self,
        kind: &str,
        at: &str,
        old: Option<&'a T>,
        new: Option<&'a T>,
        deprecated: impl Fn(&'a T) -> Option<&'a str>,
    ) -> Option<(&'a T, &'a T)> {
        let label = format!("{} `{at}`", kind.replace('-', " "));
        match (old, new) {
            (Some(old), Some(new)) => return Some((old, new)),
            (Some(old), None) => self.removed(&format!("{kind}-removed"), at, Part::Name, label, deprecated(old)),
            (None, _) => self.added(&format!("{kind}-added"), at, Part::Name, label),
        }
        None
    }

    fn changed(&mut self, rule: &str, at: &str, part: Part<'_>, message: String) {
        let (old, new) = (find_part(self.pair.old, at, part), find_part(self.pair.new, at, part));
        self.add(rule, at, message, (old, new));
    }

    fn added(&mut self, rule: &str, at: &str, part: Part<'_>, what: String) {
        self.add(rule, at, format!("{what} was added"), (None, find_part(self.pair.new, at, part)));
    }

    fn removed(&mut self, rule: &str, at: &str, part: Part<'_>, what: String, deprecated: Option<&str>) {
        let new = self.pair.new.span(at);
        self.add(rule, at, format!("{what} was removed"), (find_part(self.pair.old, at, part), new));
        if let Some(change) = self.found.last_mut() {
            change.removed = true;
            change.deprecated = deprecated.map(str::to_owned);
        }
    }

    fn add(&mut self, id: &str, at: &str, message: String, (old, new): (Option<Span>, Option<Span>)) {
        let (rule, coordinate) = (rule::find(id), at.to_owned());
        // No line defines a built-in scalar, or a schema that has no schema block.
        let top = old.or(new).is_none().then(|| self.pair.new.top());
        self.found.push(Change { rule, coordinate, message, old, new: new.or(top), removed: false, deprecated: None });
    }
}

/// Returns the span of a part of an element, or of its name.
fn find_part(sdl: &Sdl, at: &str, part: Part<'_>) -> Option<Span> {
    if let Part::Inside(name) = part {
        return sdl.spans.inside(at, name).or_else(|| sdl.span(at));
    }
    let spans = sdl.spans.get(at)?;
    let span = match part {
        Part::Name | Part::Inside(_) => None,
        Part::Type => spans.ty,
        Part::Default => spans.default,
        Part::Description => spans.description,
        Part::Use(name) => spans.uses.iter().find(|used| used.name == name).map(|used| used.span),
    };
    Some(span.unwrap_or(spans.name))
}

/// Pairs the items of two lists by name: the old ones in their order, then the added ones.
fn matched<'a, T>(
    old: &'a [T],
    new: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
) -> Vec<(&'a str, Option<&'a T>, Option<&'a T>)> {
    let by_name = |items: &'a [T]| -> HashMap<&'a str, &'a T> { items.iter().map(|item| (name(item), item)).collect() };
    let (olds, news) = (by_name(old), by_name(new));
    let kept = old.iter().map(|item| (name(item), Some(item), news.get(name(item)).copied()));
    let added = new.iter().filter(|item| !olds.contains_key(name(item))).map(|item| (name(item), None, Some(item)));
    kept.chain(added).collect()
}

/// Returns the scalars of [`BUILT_IN`] that a schema uses without defining them.
fn used_built_ins(schema: &Schema) -> BTreeSet<&'static str> {
    let fields = schema.types.iter().flat_map(Type::fields).map(|field| &*field.ty.name);
    let inputs = crate::walk::input_values(schema).into_iter().map(|value| &*value.input.ty.name);
    let named: BTreeSet<&str> = fields.chain(inputs).collect();
    BUILT_IN.into_iter().filter(|name| named.contains(name) && schema.get(name).is_none()).collect()
}

fn is_required(input: &Input) -> bool {
    input.ty.is_non_null() && input.default.is_none()
}

/// Returns the kind of a type with its article, and as the SDL calls it.
fn kind_name(ty: &Type) -> (&'static str, &'static str) {
    match ty.kind {
        Kind::Scalar { .. } => ("a scalar", "scalar"),
        Kind::Object { .. } => ("an object type", "type"),
        Kind::Interface { .. } => ("an interface", "interface"),
        Kind::Union { .. } => ("a union", "union"),
        Kind::Enum { .. } => ("an enum", "enum"),
        Kind::Input { .. } => ("an input", "input"),
    }
}
