//! Decides what a version shares with the previous one.
//!
//! A type whose Rust item is the same is re-exported; entities inside it are not compared, because they are types of the
//! model in every version. A type that is the same with everything below it shares its dispatch. Descriptions are not
//! compared: partners read them in the SDL of their version.

use schema::model::{Field, Input, Kind, Type};
use schema::shape::Role;

use super::graph::Graph;
use super::version::{Version, indices};

/// The depth of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// The Rust item: entities and roots inside it are not compared.
    Item,
    /// Everything that a response of the older version can contain; entities and roots may have more fields.
    Dispatch,
}

/// The types of a version that differ from those of the previous version, or contain one that does, by index.
#[derive(Default)]
pub(super) struct Difference {
    item: Vec<bool>,
    dispatch: Vec<bool>,
}

impl Difference {
    /// Compares a version with the previous one, if there is one.
    pub(super) fn from_previous(version: &Version<'_>) -> Self {
        let Some(previous) = version.previous else { return Self::default() };
        let of = |depth| Comparison { new: version, old: previous, depth }.differing();
        Self { item: of(Depth::Item), dispatch: of(Depth::Dispatch) }
    }
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
            _ => self.same(name, &self.difference.item),
        }
    }

    /// Returns whether the type `name` only adds to the previous version, so that both share one dispatch.
    pub(super) fn extends_dispatch(&self, name: &str) -> bool {
        self.both(name).is_some() && self.same(name, &self.difference.dispatch)
    }

    /// Returns whether the method of `field` is that of the previous version.
    pub(super) fn method_unchanged(&self, parent: &str, field: &Field) -> bool {
        let Some((_, old)) = self.both(parent).filter(|_| self.same_role(parent)) else { return false };
        let Some((old, previous)) = old.field(&field.name).zip(self.previous) else { return false };
        let comparison = Comparison { new: self, old: previous, depth: Depth::Item };
        let mut named = vec![&*field.ty.name];
        named.extend(field.args.iter().map(|arg| &*arg.ty.name));
        comparison.same_field(parent, field, old) && named.iter().all(|name| self.same(name, &self.difference.item))
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

    /// Returns whether a type is not among the `differing`.
    fn same(&self, name: &str, differing: &[bool]) -> bool {
        self.names.scalar(name).is_some() || self.schema.index_of(name).is_some_and(|at| !differing[at])
    }
}

/// A comparison of types with those of the same name in the previous version.
struct Comparison<'v, 'a> {
    new: &'v Version<'a>,
    old: &'v Version<'a>,
    depth: Depth,
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
        let is_model = || matches!(self.new.role(&ty.name), Some(Role::Entity | Role::Root));
        self.new.names.scalar(&ty.name).is_some() || (self.depth == Depth::Item && is_model())
    }

    /// Returns the types that a type is compared with.
    fn named(&self, ty: &'a Type) -> Vec<&'a str> {
        let of_field = |field: &'a Field| {
            std::iter::once(&*field.ty.name).chain(field.args.iter().map(|argument| &*argument.ty.name))
        };
        match &ty.kind {
            _ if self.is_known(ty) => vec![],
            Kind::Object { fields, .. } => {
                // An added method changes nothing for those who do not call it.
                let old = |field: &&Field| self.old.get(&ty.name).is_some_and(|ty| ty.field(&field.name).is_some());
                let compared = fields.iter().filter(|field| !self.may_grow(&ty.name) || old(field));
                compared.flat_map(of_field).collect()
            }
            Kind::Input { fields, .. } => fields.iter().map(|field| &*field.ty.name).collect(),
            Kind::Union { .. } | Kind::Interface { .. } => self.new.schema.possible_types(ty),
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
                self.new.schema.possible_types(x) == self.old.schema.possible_types(y)
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

    /// Returns whether a field keeps its Rust signature, leaving the types that it names out of account.
    fn same_field(&self, parent: &str, new: &Field, old: &Field) -> bool {
        let resolved = |version: &Version<'_>, field: &Field| version.get(parent).map(|ty| version.is_async(ty, field));
        new.ty == old.ty && resolved(self.new, new) == resolved(self.old, old) && same_inputs(&new.args, &old.args)
    }
}

fn same_inputs(new: &[Input], old: &[Input]) -> bool {
    let same = |(new, old): (&Input, &Input)| new.name == old.name && new.ty == old.ty && new.default == old.default;
    new.len() == old.len() && new.iter().zip(old).all(same)
}
