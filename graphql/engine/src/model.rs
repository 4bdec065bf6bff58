//! The schema of a version, with the lookups that the engine needs: read from its SDL once, and kept for the process.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{LazyLock, Mutex, PoisonError};

use dated_graphql_schema::rule::DEFAULT_LEVELS_MAX;
use dated_graphql_syntax::Description;

use super::ast::{self, OperationKind};
use super::coordinate::{CoordinateNames, number};
use super::definition::{
    ByName, DirectiveDefinition, EnumValue, FieldDefinition, InputDefinition, InputObject, Kind, Type,
};
use super::output::Version;
use super::sdl::{Sdl, read};
use super::value;

/// What every schema has: the built-in scalars and directives, and the types of introspection.
static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(|| {
    let Sdl { mut types, directives, .. } = read(include_str!("introspection.graphql")).expect("the text is fixed");
    link(&[], &mut types);
    let root = types.pop().expect("the root is the last type");
    BuiltIn { types, root, directives }
});

struct BuiltIn {
    types: Vec<Type>,
    /// Carries the fields `__schema` and `__type` of every query root.
    root: Type,
    directives: Vec<DirectiveDefinition>,
}

/// A schema with the types of introspection.
pub(super) struct Model {
    /// The description of the schema itself.
    pub description: Option<Description<'static>>,
    /// The types that the SDL defines, in document order.
    pub own_types: &'static [Type],
    /// The built-in types, then the types that the SDL defines.
    types: ByName<&'static Type>,
    pub query: &'static Type,
    pub mutation: Option<&'static Type>,
    /// The directives that the SDL defines, then the built-in directives that it does not define.
    pub directives: ByName<&'static DirectiveDefinition>,
    /// The names of its coordinates, by id.
    pub coordinates: CoordinateNames,
    /// The field `__typename` of every composite type.
    typename: FieldDefinition,
    /// Returns whether a custom scalar accepts a value.
    pub accepts: fn(&str, &value::Value) -> bool,
}

impl Model {
    /// Returns the model of a version, which the first call builds.
    ///
    /// # Panics
    /// If the SDL is invalid, which the build checks.
    pub(super) fn for_version<V: Version>() -> &'static Model {
        static MODELS: Mutex<BTreeMap<(&str, &str), &Model>> = Mutex::new(BTreeMap::new());
        let mut models = MODELS.lock().unwrap_or_else(PoisonError::into_inner);
        models
            .entry((V::NAME, V::SDL))
            .or_insert_with(|| Box::leak(Box::new(Model::new(V::SDL, V::RESOLVED, V::accepts))))
    }

    /// # Panics
    /// If the SDL is invalid.
    pub(super) fn new(sdl: &'static str, resolved: &[&str], accepts: fn(&str, &value::Value) -> bool) -> Self {
        let Sdl { description, query, mutation, mut types, directives } =
            read(sdl).expect("the build has checked the schema");
        link(&BUILT_IN.types, &mut types);
        let coordinates = number(&mut types);
        let resolved: HashSet<_> = resolved.iter().copied().collect();
        let is_root = |name: &str| name == query || Some(name) == mutation;
        for ty in &mut types {
            let of_root = is_root(ty.name);
            for field in ty.kind.fields_mut() {
                let coordinate = field.coordinate.map(|id| coordinates[id as usize]);
                let is_resolved = of_root || coordinate.is_some_and(|name| resolved.contains(name));
                field.is_async = is_resolved && !is_root(field.ty.name);
            }
        }
        let own_types: &'static [Type] = types.leak();
        let types: ByName<&Type> = BUILT_IN.types.iter().chain(own_types).collect::<Box<_>>().into();
        let directives: &'static [DirectiveDefinition] = directives.leak();
        let is_new = |built_in: &&DirectiveDefinition| !directives.iter().any(|own| own.name == built_in.name);
        let model = Self {
            description,
            own_types,
            query: types.get(query).expect("the schema has a query root"),
            mutation: mutation.and_then(|name| types.get(name).copied()),
            types,
            directives: directives.iter().chain(BUILT_IN.directives.iter().filter(is_new)).collect::<Box<_>>().into(),
            coordinates,
            typename: FieldDefinition::typename(),
            accepts,
        };
        model.coerce_defaults();
        model
    }

    /// Coerces all defaults, each after the defaults that it takes in. In each round the values have at most a level more than in the
    /// one before, so a default that is left after the last is too large, or contains itself.
    ///
    /// # Panics
    /// If a default is invalid, which the build checks.
    fn coerce_defaults(&self) {
        let mut open: Vec<(&str, &InputDefinition)> = vec![];
        for ty in &self.types.items {
            let inputs = if let Kind::Input(input) = &ty.kind { &input.fields[..] } else { &[] };
            let arguments = ty.fields().iter().flat_map(|field| &field.arguments);
            open.extend(arguments.chain(inputs).map(|input| (ty.name, input)));
        }
        for directive in &self.directives.items {
            open.extend(directive.arguments.iter().map(|argument| (directive.name, argument)));
        }
        for _ in 0..=DEFAULT_LEVELS_MAX {
            open.retain(|(_, input)| !input.coerce_default(self));
        }
        if let Some((of, input)) = open.first() {
            panic!("the default of `{}` of `{of}` is no value of its type, too large, or contains itself", input.name);
        }
    }

    /// Returns the object, interface or union called `name`.
    pub(super) fn composite(&self, name: &str) -> Option<&'static Type> {
        self.ty(name).filter(|ty| ty.kind.is_composite())
    }

    /// Returns the field called `name` of a type; `__schema` and `__type` are fields of the query root.
    pub(super) fn field(&'static self, of: &'static Type, name: &str) -> Option<&'static FieldDefinition> {
        of.field(name).or_else(|| match name {
            "__typename" => Some(&self.typename),
            _ if of.at == self.query.at => BUILT_IN.root.field(name),
            _ => None,
        })
    }

    /// Returns the names of the fields of a type.
    pub(super) fn field_names(&self, of: &'static Type) -> impl Iterator<Item = &'static str> {
        let of_root = if of.at == self.query.at { BUILT_IN.root.fields() } else { &[] };
        of.fields().iter().chain(of_root).map(|field| field.name)
    }

    /// Returns the definition of a selected field on an object of type `of`; its selection may be on an interface.
    #[inline]
    pub(super) fn definition(&'static self, of: &'static Type, field: &ast::Field) -> Option<&'static FieldDefinition> {
        let visited = field.definition.get().filter(|visited| visited.owner.is_none_or(|owner| owner == of.at));
        visited.or_else(|| self.field(of, field.name))
    }

    /// Returns the composite type of a field; `None` for a leaf.
    pub(super) fn type_of(&self, field: &FieldDefinition) -> Option<&'static Type> {
        field.of.map(|at| self.types.items[at])
    }

    /// Returns the possible object types of a type.
    pub(super) fn possible<'a>(&'a self, of: &'a Type) -> impl ExactSizeIterator<Item = &'static Type> + 'a {
        of.possible.iter().map(|at| self.types.items[*at])
    }

    /// Returns the root type for a kind of operation.
    pub(super) fn root(&self, kind: OperationKind) -> Option<&'static Type> {
        match kind {
            OperationKind::Query => Some(self.query),
            OperationKind::Mutation => self.mutation,
            OperationKind::Subscription => None,
        }
    }

    /// Returns the directive called `name`.
    pub(super) fn directive(&self, name: &str) -> Option<&'static DirectiveDefinition> {
        self.directives.get(name).copied()
    }

    /// Returns the input type called `name`.
    pub(super) fn input(&self, name: &str) -> Option<&'static InputObject> {
        match &self.ty(name)?.kind {
            Kind::Input(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the type called `name`, including built-in scalars and introspection types.
    pub(super) fn ty(&self, name: &str) -> Option<&'static Type> {
        self.types.get(name).copied()
    }

    /// Returns the built-in type called `name`.
    pub(super) fn built_in(&self, name: &str) -> Option<&'static Type> {
        self.ty(name).filter(|ty| ty.at < BUILT_IN.types.len())
    }

    /// Returns the names of all types.
    pub(super) fn type_names(&self) -> impl Iterator<Item = &'static str> {
        self.own_types.iter().chain(&BUILT_IN.types).map(|ty| ty.name)
    }

    /// Returns whether `name` is an input type: a scalar, an enum or an input object.
    pub(super) fn is_input(&self, name: &str) -> bool {
        let kind = self.ty(name).map(|ty| &ty.kind);
        matches!(kind, Some(Kind::Scalar { .. } | Kind::Enum { .. } | Kind::Input(_)))
    }

    /// Returns the values of the enum called `name`.
    pub(super) fn enum_values(&self, name: &str) -> Option<&'static [EnumValue]> {
        match &self.ty(name)?.kind {
            Kind::Enum { values } => Some(values),
            _ => None,
        }
    }

    /// Returns a value of the enum called `name`.
    pub(super) fn enum_value(&self, name: &str, value: &str) -> Option<&'static EnumValue> {
        self.enum_values(name)?.iter().find(|known| known.name == value)
    }
}

/// Links types with the composite types that they name, by positions in `before` and `types`.
fn link(before: &[Type], types: &mut [Type]) {
    let mut positions = HashMap::new();
    let mut implementers: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, ty) in before.iter().chain(&*types).enumerate().filter(|(_, ty)| ty.kind.is_composite()) {
        positions.insert(ty.name, at);
        if let Kind::Object { implements, .. } = &ty.kind {
            implements.iter().for_each(|name| implementers.entry(*name).or_default().push(at));
        }
    }
    let words = positions.values().max().map_or(0, |last| last / 64 + 1);
    for (at, ty) in (before.len()..).zip(types) {
        ty.at = at;
        ty.possible = match &ty.kind {
            Kind::Object { .. } => [at].into(),
            Kind::Interface { .. } => implementers.remove(ty.name).unwrap_or_default().into(),
            Kind::Union { members } => members.iter().filter_map(|name| positions.get(name).copied()).collect(),
            _ => continue,
        };
        ty.possible_bits = vec![0; words].into();
        ty.possible.iter().for_each(|at| ty.possible_bits[at / 64] |= 1 << (at % 64));
        for field in ty.kind.fields_mut() {
            field.owner = (!field.name.starts_with("__")).then_some(at);
            field.of = positions.get(field.ty.name).copied();
        }
    }
}
