//! Decides what a version shares with the previous one.
//!
//! 1. Each type is compared with the type of the same name, without the types that it names ([`Comparison::same`]).
//! 2. A type that leads to a different one is different too, since its Rust item names it ([`Comparison::differing`]). An entity ends
//!    the search, because it is a type of the model in every version.
//! 3. An equal struct, enum or input is re-exported. The trait of an entity extends the previous trait; it declares only the fields
//!    that are new or whose method changed ([`Version::method_unchanged`]).
//! 4. A version writes only what it changes. A struct, enum or union is written once for all versions in which it is the same, and the
//!    fields of an entity by the version that declares its trait ([`Version::written_by`]). Writing is async if a field below is
//!    resolved; a version in which that differs writes the type itself.
//!
//! For example, the enum `Mode` gains a value. `Mode` differs, so `BookInput { mode: Mode }` differs, so the method
//! `Mutation.bookCreate(input: BookInput)` changed: all three are generated again. The entity `Book`, which `Shelf.books` names, is not
//! compared further, so the trait `Shelf` declares nothing.
//!
//! Descriptions are not compared: clients read them in the SDL of their version.

use std::collections::BTreeSet;

use dated_graphql_schema::graph::Graph;
use dated_graphql_schema::model::{Field, Input, Kind, Type};

use super::shape::Role;
use super::version::{Version, indices, values};

/// Returns by index the types of a version whose Rust item differs from the previous version, or contains one that does.
pub(super) fn different_items(version: &Version<'_>) -> Vec<bool> {
    let Some(previous) = version.previous else { return vec![] };
    Comparison { new: version, old: previous }.differing()
}

/// Returns the structs, enums, unions and inputs that differ from the previous version by themselves.
pub(super) fn changed_types<'a>(version: &Version<'a>) -> Vec<&'a str> {
    let Some(previous) = version.previous else { return vec![] };
    let comparison = Comparison { new: version, old: previous };
    let known = version.schema.types.iter().filter(|ty| version.has_item(ty) && previous.get(&ty.name).is_some());
    known.filter(|ty| !comparison.same(ty)).map(|ty| &*ty.name).collect()
}

impl<'a> Version<'a> {
    /// Returns whether the Rust item `name` is unchanged since the previous version: the trait of an entity or a root, the struct,
    /// enum or input of another type.
    pub(super) fn item_unchanged(&self, name: &str) -> bool {
        let Some((ty, _)) = self.both(name) else { return false };
        match self.role(name) {
            Some(Role::Root | Role::Entity) => {
                self.same_role(name) && ty.fields().iter().all(|field| self.method_unchanged(name, field))
            }
            _ => self.same_item(name),
        }
    }

    /// Returns whether `field` did not change since the previous version, so that its method is declared there.
    pub(super) fn method_unchanged(&self, parent: &str, field: &Field) -> bool {
        let Some((_, old)) = self.both(parent).filter(|_| self.same_role(parent)) else { return false };
        let Some((old, previous)) = old.field(&field.name).zip(self.previous) else { return false };
        let comparison = Comparison { new: self, old: previous };
        let mut named = vec![&*field.ty.name];
        named.extend(field.args.iter().map(|arg| &*arg.ty.name));
        comparison.same_field(parent, field, old) && named.iter().all(|name| self.same_item(name))
    }

    /// Returns the module of the trait that declares the method of `field`.
    pub(super) fn declared_in(&self, parent: &str, field: &Field) -> &str {
        let mut version = self;
        while let Some(previous) = version.previous.filter(|_| version.method_unchanged(parent, field)) {
            version = previous;
        }
        &version.module
    }

    /// Returns the module of the previous version if the trait of this version extends it.
    pub(super) fn supertrait(&self, name: &str) -> Option<&str> {
        let (previous, _) = self.previous.zip(self.both(name))?;
        self.same_role(name).then_some(&*previous.module)
    }

    /// Returns the version that writes the type in this version.
    pub(super) fn written_by(&self, name: &str) -> WrittenBy<'a> {
        self.schema.index_of(name).map_or(WrittenBy::This, |at| self.writers[at])
    }

    /// Returns the version that writes the unchanged fields of an entity or a root, if an older one does.
    pub(super) fn extended(&self, ty: &Type) -> Option<&'a Version<'a>> {
        self.both(&ty.name).filter(|_| self.is_model(&ty.name) && self.is_async(&ty.name))?;
        let older = self.previous?.writer_of(&ty.name);
        let before = older.get(&ty.name)?;
        let same = |field: &Field| {
            let old = before.field(&field.name);
            old.is_none_or(|old| self.is_awaited(ty, field) == older.is_awaited(before, old))
        };
        (ty.fields().iter().all(same) && self.writes_like(older, &ty.name)).then_some(older)
    }

    /// Returns the entities that the code of the type needs: the entities below it, and what the extended version needs.
    pub(super) fn required_entities(&self, name: &str) -> BTreeSet<&'a str> {
        let older = self.get(name).and_then(|ty| self.extended(ty));
        let older = older.map(|older| older.required_entities(name)).unwrap_or_default();
        older.into_iter().chain(self.entities_below(name)).collect()
    }

    /// Returns this version, or the older one that writes the type.
    fn writer_of(&'a self, name: &str) -> &'a Version<'a> {
        match self.written_by(name) {
            WrittenBy::Older(older) => older,
            WrittenBy::This | WrittenBy::ThisForAll => self,
        }
    }

    /// Returns the older version whose code may write the type. For an entity, its trait is equal; for a value, it is the first
    /// version in which the Rust item is the same and is written in the same way, async or not.
    fn candidate(&self, name: &str) -> Option<&'a Version<'a>> {
        let unchanged = |version: &Version<'a>| version.previous.filter(|_| version.item_unchanged(name));
        if self.is_model(name) {
            return unchanged(self).map(|previous| previous.writer_of(name));
        }
        let older = std::iter::successors(unchanged(self), |version| unchanged(version));
        older.filter(|older| older.is_async(name) == self.is_async(name)).last()
    }

    /// Returns whether the code of an older version writes the type in this version too.
    fn writes_like(&self, older: &Version<'_>, name: &str) -> bool {
        let same = |name: &str| self.role(name) == older.role(name) && self.is_async(name) == older.is_async(name);
        let is_shared = matches!(older.written_by(name), WrittenBy::ThisForAll);
        is_shared && same(name) && older.required_entities(name).into_iter().all(same)
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

    fn same_item(&self, name: &str) -> bool {
        self.names.scalar(name).is_some() || self.schema.index_of(name).is_some_and(|at| !self.different[at])
    }
}

/// The version that writes the values of a type.
#[derive(Clone, Copy)]
pub(super) enum WrittenBy<'a> {
    /// This version, in its own responses only.
    This,
    /// This version, in the responses of all versions that write the entities below alike.
    ThisForAll,
    Older(&'a Version<'a>),
}

/// Finds by index the version that writes each type.
///
/// Code for all versions is an `impl` for any version, of which Rust allows one for a struct or union. A version that writes one in
/// another way has an `impl` for itself alone, and so has everything that contains it.
pub(super) fn find_writers<'a>(version: &Version<'a>) -> Vec<WrittenBy<'a>> {
    let types = &version.schema.types;
    let candidates: Vec<_> = types.iter().map(|ty| version.candidate(&ty.name)).collect();
    let reused = |at: usize| candidates[at].filter(|older| version.writes_like(older, &types[at].name));
    let is_second =
        |at: &usize| candidates[*at].is_some() && reused(*at).is_none() && !version.is_model(&types[*at].name);
    let alone = version.values.leads_to((0..types.len()).filter(is_second));
    let writer = |at: usize| match reused(at) {
        Some(older) => WrittenBy::Older(older),
        None if alone[at] => WrittenBy::This,
        None => WrittenBy::ThisForAll,
    };
    (0..types.len()).map(writer).collect()
}

/// A comparison of types with their namesakes in the previous version.
struct Comparison<'v, 'a> {
    new: &'v Version<'a>,
    old: &'v Version<'a>,
}

impl<'a> Comparison<'_, 'a> {
    /// Returns for each type of the new version whether it differs by itself or leads to one that does.
    fn differing(&self) -> Vec<bool> {
        let types = &self.new.schema.types;
        let named = |ty| indices(self.new.schema, self.named(ty));
        let graph = Graph::new(types.iter().map(named).collect());
        graph.leads_to((0..types.len()).filter(|at| !self.same(&types[*at])))
    }

    /// Returns whether the comparison of a type goes no further than its name.
    fn is_known(&self, ty: &Type) -> bool {
        let is_model = matches!(self.new.role(&ty.name), Some(Role::Entity | Role::Root));
        is_model || self.new.names.scalar(&ty.name).is_some()
    }

    /// Returns the types that a type is compared with.
    fn named(&self, ty: &'a Type) -> Vec<&'a str> {
        let of_field = |field: &'a Field| {
            std::iter::once(&*field.ty.name).chain(field.args.iter().map(|argument| &*argument.ty.name))
        };
        match &ty.kind {
            _ if self.is_known(ty) => vec![],
            Kind::Object { fields, .. } => fields.iter().flat_map(of_field).collect(),
            Kind::Input { fields, .. } => fields.iter().map(|field| &*field.ty.name).collect(),
            Kind::Union { .. } | Kind::Interface { .. } => values(self.new.schema, ty),
            Kind::Scalar { .. } | Kind::Enum { .. } => vec![],
        }
    }

    /// Returns whether a type is the same, leaving the types that it names out of account.
    fn same(&self, ty: &Type) -> bool {
        let (new, old, name) = (self.new, self.old, &*ty.name);
        if new.names.scalar(name).is_some() {
            return true;
        }
        let Some(before) = old.get(name) else { return false };
        if new.role(name) != old.role(name) || new.has_item(ty) != old.has_item(before) {
            return false;
        }
        self.is_known(ty) || (new.borrows(name) == old.borrows(name) && self.same_kind(ty, before))
    }

    fn same_kind(&self, x: &Type, y: &Type) -> bool {
        match (&x.kind, &y.kind) {
            (Kind::Scalar { .. }, Kind::Scalar { .. }) => true,
            (Kind::Enum { values: new }, Kind::Enum { values: old }) => {
                new.iter().map(|value| &value.name).eq(old.iter().map(|value| &value.name))
            }
            (Kind::Input { fields: new, one_of: a }, Kind::Input { fields: old, one_of: b }) => {
                a == b && same_inputs(new, old)
            }
            (Kind::Union { .. }, Kind::Union { .. }) | (Kind::Interface { .. }, Kind::Interface { .. }) => {
                values(self.new.schema, x) == values(self.old.schema, y)
            }
            (Kind::Object { fields: new, .. }, Kind::Object { fields: old, .. }) => {
                let same = |(new, old): (&Field, &Field)| new.name == old.name && self.same_field(&x.name, new, old);
                new.len() == old.len() && new.iter().zip(old).all(same)
            }
            _ => false,
        }
    }

    /// Returns whether a field keeps its Rust signature, leaving the types that it names out of account.
    fn same_field(&self, parent: &str, new: &Field, old: &Field) -> bool {
        let resolved =
            |version: &Version<'_>, field: &Field| version.get(parent).map(|ty| version.is_resolved(ty, field));
        new.ty == old.ty && resolved(self.new, new) == resolved(self.old, old) && same_inputs(&new.args, &old.args)
    }
}

fn same_inputs(new: &[Input], old: &[Input]) -> bool {
    let same = |(new, old): (&Input, &Input)| new.name == old.name && new.ty == old.ty && new.default == old.default;
    new.len() == old.len() && new.iter().zip(old).all(same)
}
