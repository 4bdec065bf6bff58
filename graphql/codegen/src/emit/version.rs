//! A version with the properties of its types that decide their Rust form.

use std::collections::BTreeSet;

use dated_graphql_schema::graph::Graph;
use dated_graphql_schema::model::{Field, Input, Kind, Schema, Ty, Type, Wrap};

use super::names::RustPaths;
use super::reuse::{WrittenBy, different_items, find_writers};
use super::rust_type::RustType;
use super::shape::{Role, Shape};
use super::spelling::{Spelling, marker_name, module_name};

/// The async values that nest without a box. The compiler proves that a future is `Send`, and computes its size, through all futures in
/// it, as far as its recursion limit of 128; a value takes about 20.
const UNBOXED_LEVELS_MAX: usize = 3;

/// A version, linked to the previous one.
pub(super) struct Version<'a> {
    pub schema: &'a Schema,
    shape: Shape<'a>,
    /// The previous version, whose unchanged types are reused.
    pub previous: Option<&'a Version<'a>>,
    pub names: &'a RustPaths,
    pub spelling: &'a Spelling,
    /// `v2026_10`
    pub module: String,
    /// `V2026_10`
    pub marker: String,
    /// The interfaces that a field of an object returns.
    returned: BTreeSet<&'a str>,
    /// Values that borrow from an entity, by index.
    borrowing: Vec<bool>,
    /// The edges from each input to the inputs that it stores inline: not in a list.
    inline: Graph,
    /// The types whose Rust item differs from the previous version, by index.
    pub different: Vec<bool>,
    /// The types in or below which a field is resolved, by index.
    resolved: Vec<bool>,
    /// The edges from each type to the values below it.
    pub values: Graph,
    /// How many async values nest in each type, itself included, as far as the next box, by index.
    levels: Vec<usize>,
    /// The version that writes each type, by index.
    pub writers: Vec<WrittenBy<'a>>,
}

impl<'a> Version<'a> {
    pub(super) fn new(
        schema: &'a Schema,
        previous: Option<&'a Version<'a>>,
        names: &'a RustPaths,
        spelling: &'a Spelling,
    ) -> Self {
        let (module, marker) = (module_name(&schema.version), marker_name(&schema.version));
        let objects = schema.types.iter().filter(|ty| matches!(ty.kind, Kind::Object { .. }));
        let mut version = Version {
            schema,
            shape: Shape::read(schema, names.resolved.keys().map(|field| &**field)),
            previous,
            names,
            spelling,
            module,
            marker,
            returned: objects.flat_map(|ty| ty.fields()).map(|field| &*field.ty.name).collect(),
            borrowing: vec![],
            inline: Graph::new(schema.types.iter().map(|ty| indices(schema, inline(ty))).collect()),
            different: vec![],
            resolved: vec![],
            values: Graph::new(vec![]),
            levels: vec![],
            writers: vec![],
        };
        version.borrowing = version.find_borrowing();
        version.different = different_items(&version);
        let resolved = (0..schema.types.len()).filter(|at| version.has_resolved_field(&schema.types[*at]));
        let types = Graph::new(schema.types.iter().map(|ty| indices(schema, below(schema, ty))).collect());
        version.resolved = types.leads_to(resolved);
        let values = schema.types.iter().map(|ty| indices(schema, version.values_of(ty)));
        version.values = Graph::new(values.collect());
        version.levels = version.find_levels();
        version.writers = find_writers(&version);
        version
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a Type> {
        self.schema.get(name)
    }

    pub(super) fn role(&self, name: &str) -> Option<Role> {
        self.shape.role(name)
    }

    /// Returns the fields that hand-written code fills in. A field of the type `Query` has nothing to fill in.
    pub(super) fn written_fields<'t>(&self, ty: &'t Type) -> impl Iterator<Item = &'t Field> {
        ty.fields().iter().filter(|field| !self.schema.is_root(&field.ty.name))
    }

    pub(super) fn is_entity(&self, name: &str) -> bool {
        self.role(name) == Some(Role::Entity)
    }

    /// Returns whether the type is a trait: an entity or a root.
    pub(super) fn is_model(&self, name: &str) -> bool {
        matches!(self.role(name), Some(Role::Entity | Role::Root))
    }

    pub(super) fn is_resolved(&self, parent: &Type, field: &Field) -> bool {
        self.shape.is_resolved(parent, field)
    }

    /// Returns whether writing the field is async.
    pub(super) fn is_awaited(&self, parent: &Type, field: &Field) -> bool {
        self.is_resolved(parent, field) || self.is_async(&field.ty.name)
    }

    /// Returns whether any field in or below the type is resolved.
    pub(super) fn is_async(&self, name: &str) -> bool {
        self.schema.index_of(name).is_some_and(|at| self.resolved[at])
    }

    /// Returns whether the future that writes a value is boxed, because of the futures in it.
    pub(super) fn is_boxed(&self, name: &str) -> bool {
        self.schema.index_of(name).is_some_and(|at| self.levels[at] == UNBOXED_LEVELS_MAX)
    }

    fn find_levels(&self) -> Vec<usize> {
        let mut levels = vec![0; self.schema.types.len()];
        for at in 0..levels.len() {
            self.find_level(at, &mut levels);
        }
        levels
    }

    /// Finds the level of a type, and of the types below it; 0 is not known yet. No value leads back to itself.
    fn find_level(&self, at: usize, levels: &mut [usize]) -> usize {
        if levels[at] == 0 {
            let below = self.values_of(&self.schema.types[at]).filter(|name| self.is_async(name));
            let below = indices(self.schema, below).into_iter();
            let deepest = below.map(|at| self.find_level(at, levels) % UNBOXED_LEVELS_MAX).max();
            levels[at] = deepest.unwrap_or(0) + 1;
        }
        levels[at]
    }

    fn has_resolved_field(&self, ty: &Type) -> bool {
        let is_object = matches!(ty.kind, Kind::Object { .. });
        let resolved = || ty.fields().iter().any(|field| self.is_resolved(ty, field));
        is_object && (self.schema.is_root(&ty.name) || resolved())
    }

    /// Returns whether the type is a scalar or an enum.
    pub(super) fn is_leaf(&self, name: &str) -> bool {
        self.get(name).is_none_or(|ty| matches!(ty.kind, Kind::Scalar { .. } | Kind::Enum { .. }))
    }

    /// Returns whether the type has a Rust item; an interface has one only if a field returns it.
    pub(super) fn has_item(&self, ty: &Type) -> bool {
        match &ty.kind {
            Kind::Scalar { .. } => false,
            Kind::Interface { .. } => self.returned.contains(&*ty.name),
            _ => true,
        }
    }

    /// Returns whether the Rust item `name` has a lifetime.
    pub(super) fn borrows(&self, name: &str) -> bool {
        self.schema.index_of(name).is_some_and(|at| self.borrowing[at])
    }

    /// Finds the values that are reachable from a loaded field of an entity and contain a scalar that is not copied.
    fn find_borrowing(&self) -> Vec<bool> {
        let types = &self.schema.types;
        // Entities are types of the model, so nothing below them counts.
        let values = Graph::new(types.iter().map(|ty| indices(self.schema, self.values_below(ty))).collect());
        let entities = types.iter().filter(|ty| self.is_entity(&ty.name));
        let loaded = entities.flat_map(|ty| ty.fields().iter().filter(|field| !self.is_resolved(ty, field)));
        let views = loaded.map(|field| &*field.ty.name).filter(|name| !self.is_entity(name));
        let views = values.reached(indices(self.schema, views));
        let is_borrowed = |name: &str| self.names.scalar(name).is_some_and(|scalar| !scalar.copy);
        let holders = (0..types.len()).filter(|at| {
            let ty = &types[*at];
            !self.is_entity(&ty.name) && (is_borrowed(&ty.name) || self.values_below(ty).any(is_borrowed))
        });
        let holders = values.leads_to(holders);
        (0..types.len()).map(|at| views[at] && holders[at] && !self.is_leaf(&types[at].name)).collect()
    }

    /// Returns the types below `ty` that are not entities or roots; none if it is one itself.
    fn values_below(&self, ty: &'a Type) -> impl Iterator<Item = &'a str> {
        self.values_of(ty).filter(|_| !self.is_model(&ty.name))
    }

    /// Returns the types of the fields or the members of `ty` that are not entities or roots.
    fn values_of(&self, ty: &'a Type) -> impl Iterator<Item = &'a str> {
        below(self.schema, ty).into_iter().filter(|name| !self.is_model(name))
    }

    /// Returns the entities of the fields and members of the type, and of the values below it.
    pub(super) fn entities_below(&self, name: &str) -> BTreeSet<&'a str> {
        let reached = self.values.reached(self.schema.index_of(name));
        let types = self.schema.types.iter().zip(reached).filter(|(_, is_reached)| *is_reached);
        types.flat_map(|(ty, _)| below(self.schema, ty)).filter(|name| self.is_entity(name)).collect()
    }

    /// Returns the type of an output.
    pub(super) fn output(&self, ty: &Ty) -> RustType {
        wrap_type(&ty.wrap, self.named_output(&ty.name))
    }

    /// Returns the type of an output without its wrappers.
    pub(super) fn named_output(&self, name: &str) -> RustType {
        if let Some(scalar) = self.names.scalar(name) {
            let path = RustType::Path(scalar.output.clone());
            return if scalar.copy { path } else { RustType::Cow(Box::new(path)) };
        }
        if self.is_entity(name) {
            return RustType::Model(self.spelling.type_name(name));
        }
        RustType::Item { name: self.spelling.type_name(name), borrows: self.borrows(name) }
    }

    /// Returns the type of an argument. Null and absent are the same in it, unless `[rust] nullable_argument` is `Patch`.
    pub(super) fn argument(&self, argument: &Input) -> RustType {
        let inner = self.named_input(&argument.ty.name);
        if self.names.nullable_argument == "Option" || argument.ty.is_non_null() || argument.default.is_some() {
            return wrap_type(&argument.ty.wrap, inner);
        }
        RustType::Patch(Box::new(not_null(&argument.ty.wrap, inner)))
    }

    /// Returns the type of an input field: three-state, unless it has a default or is required.
    pub(super) fn input(&self, parent: &Type, input: &Input) -> RustType {
        let inner = self.boxed(parent, &input.ty, self.named_input(&input.ty.name));
        if input.ty.is_non_null() || input.default.is_some() {
            return wrap_type(&input.ty.wrap, inner);
        }
        RustType::Patch(Box::new(not_null(&input.ty.wrap, inner)))
    }

    /// Boxes the type of a field of an input that can contain its parent inline, which would have no size.
    fn boxed(&self, parent: &Type, ty: &Ty, inner: RustType) -> RustType {
        let nodes = self.schema.index_of(&parent.name).zip(self.schema.index_of(&ty.name));
        match nodes.filter(|(from, to)| !ty.is_list() && self.inline.in_cycle(*from, *to)) {
            Some(_) => RustType::Boxed(Box::new(inner)),
            None => inner,
        }
    }

    fn named_input(&self, name: &str) -> RustType {
        match self.names.scalar(name) {
            Some(scalar) => RustType::Path(scalar.input.clone()),
            None => RustType::Item { name: self.spelling.type_name(name), borrows: false },
        }
    }
}

/// Returns the possible types of an interface or union; a root, which may implement an interface, is no value.
pub(super) fn values<'a>(schema: &'a Schema, ty: &'a Type) -> Vec<&'a str> {
    schema.possible_types(ty).into_iter().filter(|name| !schema.is_root(name)).collect()
}

/// Returns the types of the fields or the members of a type.
fn below<'a>(schema: &'a Schema, ty: &'a Type) -> Vec<&'a str> {
    match &ty.kind {
        Kind::Object { fields, .. } => fields.iter().map(|field| &*field.ty.name).collect(),
        Kind::Interface { .. } | Kind::Union { .. } => values(schema, ty),
        _ => vec![],
    }
}

/// Returns the types that an input stores inline.
fn inline(ty: &Type) -> Vec<&str> {
    match &ty.kind {
        Kind::Input { fields, .. } => {
            fields.iter().filter(|field| !field.ty.is_list()).map(|field| &*field.ty.name).collect()
        }
        _ => vec![],
    }
}

/// Returns the indices of types; a built-in scalar has none.
pub(super) fn indices<'n>(schema: &Schema, names: impl IntoIterator<Item = &'n str>) -> Vec<usize> {
    names.into_iter().filter_map(|name| schema.index_of(name)).collect()
}

/// Wraps a type in `Option` and `Vec`.
fn wrap_type(wrap: &[Wrap], inner: RustType) -> RustType {
    match wrap.split_first() {
        Some((Wrap::NonNull, rest)) => not_null(rest, inner),
        _ => RustType::Option(Box::new(not_null(wrap, inner))),
    }
}

fn not_null(wrap: &[Wrap], inner: RustType) -> RustType {
    match wrap.split_first() {
        Some((Wrap::List, rest)) => RustType::Vec(Box::new(wrap_type(rest, inner))),
        _ => inner,
    }
}
