//! Decides what a version shares with the previous one.
//!
//! A type whose Rust item is the same is re-exported; entities inside it are not compared, because they are types of the
//! model in every version. A type that is the same with everything below it shares its dispatch. Descriptions are not
//! compared: partners read them in the SDL of their version.

use std::collections::BTreeSet;

use schema::model::{Field, Input, Kind, Type};
use schema::shape::Role;

use super::version::Version;

/// The depth of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// The Rust item: entities and roots inside it are not compared.
    Item,
    /// Everything that a response of the older version can contain; entities and roots may have more fields.
    Dispatch,
}

impl<'a> Version<'a> {
    /// Returns whether the struct, enum or input `name` is that of the previous version; for an entity or a root, whether
    /// its trait is.
    pub(super) fn item_unchanged(&self, name: &str) -> bool {
        let Some((ty, _)) = self.both(name) else { return false };
        match self.role(name) {
            Some(Role::Root | Role::Entity) => {
                self.same_role(name) && ty.fields().iter().all(|field| self.method_unchanged(name, field))
            }
            _ => Comparison::new(self, Depth::Item).same(name),
        }
    }

    /// Returns whether the type `name` only adds to the previous version, so that both share one dispatch.
    pub(super) fn extends_dispatch(&self, name: &str) -> bool {
        self.both(name).is_some() && Comparison::new(self, Depth::Dispatch).same(name)
    }

    /// Returns whether the method of `field` is that of the previous version.
    pub(super) fn method_unchanged(&self, parent: &str, field: &Field) -> bool {
        let Some((_, old)) = self.both(parent).filter(|_| self.same_role(parent)) else { return false };
        old.field(&field.name).is_some_and(|old| Comparison::new(self, Depth::Item).same_field(parent, field, old))
    }

    /// Returns the module of the trait that declares the method of `field`.
    pub(super) fn declared_in(&self, parent: &str, field: &Field) -> &str {
        let mut version = self;
        while let Some(previous) = version.previous.filter(|_| version.method_unchanged(parent, field)) {
            version = previous;
        }
        &version.module
    }

    /// Returns the module of the previous version if its trait is extended by that of this version.
    pub(super) fn supertrait(&self, name: &str) -> Option<&str> {
        let (previous, _) = self.previous.zip(self.both(name))?;
        self.same_role(name).then_some(&*previous.module)
    }

    /// Returns the type in this version and in the previous one, if it is an item in both.
    fn both(&self, name: &str) -> Option<(&'a Type, &'a Type)> {
        let previous = self.previous?;
        let (new, old) = self.get(name).zip(previous.get(name))?;
        (self.has_item(new) && previous.has_item(old)).then_some((new, old))
    }

    fn same_role(&self, name: &str) -> bool {
        self.previous.is_some_and(|previous| previous.role(name) == self.role(name))
    }
}

/// A comparison of a type with the type of the same name in the previous version.
struct Comparison<'v, 'a> {
    new: &'v Version<'a>,
    depth: Depth,
    /// Types that are compared already; assumed equal in a cycle.
    seen: BTreeSet<String>,
}

impl<'v, 'a> Comparison<'v, 'a> {
    fn new(new: &'v Version<'a>, depth: Depth) -> Self {
        Self { new, depth, seen: BTreeSet::new() }
    }

    fn same(&mut self, name: &str) -> bool {
        let new = self.new;
        let Some(old) = new.previous else { return false };
        if new.names.scalar(name).is_some() || !self.seen.insert(name.to_owned()) {
            return true;
        }
        let Some((x, y)) = new.get(name).zip(old.get(name)) else { return false };
        if new.role(name) != old.role(name) || new.has_item(x) != old.has_item(y) {
            return false;
        }
        if self.depth == Depth::Item && new.is_entity(name) {
            return true;
        }
        new.borrows(name) == old.borrows(name) && self.same_kind(x, y)
    }

    fn same_kind(&mut self, x: &'a Type, y: &'a Type) -> bool {
        match (&x.kind, &y.kind) {
            (Kind::Scalar { .. }, Kind::Scalar { .. }) => true,
            (Kind::Enum { values: new }, Kind::Enum { values: old }) => {
                new.iter().map(|value| &value.name).eq(old.iter().map(|value| &value.name))
            }
            (Kind::Input { fields: new, one_of: a }, Kind::Input { fields: old, one_of: b }) => {
                a == b && self.same_inputs(new, old)
            }
            (Kind::Union { .. }, Kind::Union { .. }) | (Kind::Interface { .. }, Kind::Interface { .. }) => {
                let members = self.new.schema.possible_types(x);
                let old = self.new.previous.map(|previous| previous.schema.possible_types(y));
                old.as_ref() == Some(&members) && members.into_iter().all(|member| self.same(member))
            }
            (Kind::Object { fields: new, .. }, Kind::Object { fields: old, .. }) if self.may_grow(&x.name) => {
                let as_it_was = |old: &Field| {
                    let new = new.iter().find(|new| new.name == old.name);
                    new.is_some_and(|new| self.same_field(&x.name, new, old))
                };
                old.iter().all(as_it_was)
            }
            (Kind::Object { fields: new, .. }, Kind::Object { fields: old, .. }) => {
                let same = |(new, old): (&Field, &Field)| new.name == old.name && self.same_field(&x.name, new, old);
                new.len() == old.len() && new.iter().zip(old).all(same)
            }
            _ => false,
        }
    }

    /// Returns whether added fields leave the dispatch unchanged: true if they are methods, not members of a struct.
    fn may_grow(&self, name: &str) -> bool {
        self.depth == Depth::Dispatch && matches!(self.new.role(name), Some(Role::Entity | Role::Root))
    }

    /// Returns whether a field keeps its Rust signature and, at the depth of a dispatch, its possible values.
    fn same_field(&mut self, parent: &str, new: &Field, old: &Field) -> bool {
        let resolved = |version: &Version<'_>, field: &Field| version.get(parent).map(|ty| version.is_async(ty, field));
        let previous = self.new.previous;
        new.ty == old.ty
            && previous.is_some_and(|previous| resolved(self.new, new) == resolved(previous, old))
            && self.same_inputs(&new.args, &old.args)
            && self.same(&new.ty.name)
    }

    fn same_inputs(&mut self, new: &[Input], old: &[Input]) -> bool {
        let same = |(new, old): (&Input, &Input)| {
            new.name == old.name && new.ty == old.ty && new.default == old.default && self.same(&new.ty.name)
        };
        new.len() == old.len() && new.iter().zip(old).all(same)
    }
}
