//! The schema of a version with the lookups that the engine needs: built once per version and kept for the process.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use schema::coordinate;
use schema::model::{self as sdl, Kind, Schema, Ty, Type, Wrap};
use schema::shape::Shape;

use super::ast::{self, OperationKind, Value};
use super::coordinate::{CoordinateId, Coordinates};
use super::execute::Version;
use super::parse;
use super::small_map::name_hash;
use super::value;

/// The built-in scalars, directives and introspection types, which all versions share.
pub(super) static META: LazyLock<Schema> = LazyLock::new(|| {
    let meta = Schema::parse_introspection(include_str!("introspection.graphql"));
    meta.expect("the types of introspection follow the rules")
});

/// Values by names of the schema, sorted by [`name_hash`] and name: smaller than a hash table, and as fast to search.
struct ByName<V>(Box<[(u32, &'static str, V)]>);

impl<V> ByName<V> {
    #[inline]
    fn get(&self, name: &str) -> Option<&V> {
        let hash = name_hash(name);
        let first = self.0.partition_point(|(known, ..)| *known < hash);
        let mut alike = self.0[first..].iter().take_while(|(known, ..)| *known == hash);
        alike.find(|(_, known, _)| *known == name).map(|(.., value)| value)
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(_, name, _)| *name)
    }
}

impl<V> FromIterator<(&'static str, V)> for ByName<V> {
    /// Of values with the same name, the first counts.
    fn from_iter<I: IntoIterator<Item = (&'static str, V)>>(values: I) -> Self {
        let mut values: Vec<_> = values.into_iter().map(|(name, value)| (name_hash(name), name, value)).collect();
        values.sort_by_key(|(hash, name, _)| (*hash, *name));
        values.dedup_by_key(|(_, name, _)| *name);
        Self(values.into())
    }
}

/// The schema, its introspection types and its lookup tables.
pub(super) struct Model {
    pub schema: &'static Schema,
    /// The numbered coordinates of the schema.
    pub coordinates: Coordinates,
    /// The field `__typename` of every composite type.
    pub typename: FieldDefinition,
    /// Returns whether a custom scalar accepts a value.
    pub accepts: fn(&str, &value::Value) -> bool,
    composites: Box<[Composite]>,
    /// The positions of the roots.
    query: usize,
    mutation: Option<usize>,
    by_name: ByName<usize>,
    types: ByName<&'static Type>,
    inputs: ByName<InputObject>,
    enums: ByName<EnumDefinition>,
    directives: ByName<DirectiveDefinition>,
}

/// A type with fields, or a union.
pub(super) struct Composite {
    pub name: &'static str,
    /// Whether it is an object type, and not an interface or union.
    pub is_object: bool,
    /// Its position among the composites.
    at: usize,
    /// The positions of its possible object types, in document order.
    possible: Box<[usize]>,
    /// The same, as a bit set.
    possible_bits: Box<[u64]>,
    fields: ByName<FieldDefinition>,
    pub coordinate: Option<CoordinateId>,
}

/// A field of an object or interface.
#[derive(Debug)]
pub(super) struct FieldDefinition {
    /// The position of the type whose field it is among the composites; `None` for `__typename`, which every type has.
    owner: Option<usize>,
    pub field: &'static sdl::Field,
    /// The key of the field in a response, unless it has an alias: `,"name":`.
    pub key: &'static str,
    pub arguments: Box<[InputDefinition]>,
    /// Whether a resolver is awaited for its value; otherwise it is preloaded with its parent.
    pub is_async: bool,
    /// `None` for introspection fields.
    pub coordinate: Option<CoordinateId>,
    /// The position of its type among the composites; `None` for a leaf.
    of: Option<usize>,
}

/// An argument, or a field of an input type.
#[derive(Debug)]
pub(super) struct InputDefinition {
    pub input: &'static sdl::Input,
    pub name: &'static str,
    pub ty: &'static Ty,
    pub default: Option<Value<'static>>,
    /// `None` for introspection and directives.
    pub coordinate: Option<CoordinateId>,
}

/// An input type.
pub(super) struct InputObject {
    pub one_of: bool,
    pub fields: Box<[InputDefinition]>,
}

/// A directive.
pub(super) struct DirectiveDefinition {
    pub locations: &'static [&'static str],
    pub repeatable: bool,
    pub arguments: Box<[InputDefinition]>,
}

/// An enum.
struct EnumDefinition {
    values: &'static [sdl::EnumValue],
    /// The coordinates of its values; `None` for introspection.
    coordinates: Box<[Option<CoordinateId>]>,
}

impl Model {
    /// Returns the model of a version, built on the first call.
    ///
    /// # Panics
    /// If the SDL is invalid, which the build checks.
    pub(super) fn of<V: Version>() -> &'static Model {
        static MODELS: Mutex<BTreeMap<(&str, &str), &Model>> = Mutex::new(BTreeMap::new());
        let mut models = MODELS.lock().unwrap_or_else(PoisonError::into_inner);
        models.entry((V::NAME, V::SDL)).or_insert_with(|| {
            let schema = Schema::parse(V::NAME, V::SDL).expect("the build has checked the schema");
            Box::leak(Box::new(Model::new::<V>(Box::leak(Box::new(schema)))))
        })
    }

    fn new<V: Version>(schema: &'static Schema) -> Self {
        let meta: &'static Schema = &META;
        let introspection = meta.get(&meta.query).expect("the introspection types have a root");
        let (coordinates, shape) = (Coordinates::of(schema), Shape::read(schema, V::RESOLVED.iter().copied()));
        // If both define a name, the type of the schema counts.
        let all = || schema.types.iter().map(|ty| (schema, ty)).chain(meta.types.iter().map(|ty| (meta, ty)));
        // The query root of the introspection types only carries `__schema` and `__type`.
        let listed: Vec<_> = all().filter(|(_, ty)| is_composite(ty) && !std::ptr::eq(*ty, introspection)).collect();
        let by_name: ByName<usize> = listed.iter().enumerate().map(|(at, (_, ty))| (&*ty.name, at)).collect();
        let composite = |(at, (of, ty)): (usize, &(&'static Schema, &'static Type))| {
            let own = ty.fields().iter().map(|field| (*ty, field));
            let roots = if ty.name == schema.query { introspection.fields() } else { &[] };
            let fields = own.chain(roots.iter().map(|field| (introspection, field)));
            let field = |(ty, field): (&Type, &'static sdl::Field)| {
                // Values of introspection types are always preloaded.
                let is_async =
                    std::ptr::eq(*of, schema) && !std::ptr::eq(ty, introspection) && shape.is_resolved(ty, field);
                let of = by_name.get(&field.ty.name).copied();
                (&*field.name, FieldDefinition::new(&coordinates, ty, field, is_async, at, of))
            };
            let possible = of.possible_types(ty).into_iter().filter_map(|name| by_name.get(name).copied());
            let possible: Box<[usize]> = possible.collect();
            let mut possible_bits = vec![0; listed.len().div_ceil(64)];
            possible.iter().for_each(|at| possible_bits[at / 64] |= 1 << (at % 64));
            Composite {
                name: &ty.name,
                is_object: matches!(ty.kind, Kind::Object { .. }),
                at,
                possible,
                possible_bits: possible_bits.into(),
                fields: fields.map(field).collect(),
                coordinate: coordinates.id(&ty.name),
            }
        };
        let input = |(_, ty): (_, &'static Type)| {
            let Kind::Input { one_of, fields } = &ty.kind else { return None };
            let at = |field: &sdl::Input| coordinates.id(&coordinate::member(&ty.name, &field.name));
            Some((&*ty.name, InputObject { one_of: *one_of, fields: input_definitions(fields, at) }))
        };
        let values = |(_, ty): (_, &'static Type)| {
            let Kind::Enum { values } = &ty.kind else { return None };
            let ids = values.iter().map(|value| coordinates.id(&coordinate::member(&ty.name, &value.name)));
            Some((&*ty.name, EnumDefinition { values, coordinates: ids.collect() }))
        };
        Self {
            schema,
            typename: FieldDefinition::typename(),
            accepts: V::accepts,
            composites: listed.iter().enumerate().map(composite).collect(),
            query: *by_name.get(&schema.query).expect("the schema has a query root"),
            mutation: schema.mutation.as_deref().and_then(|name| by_name.get(name).copied()),
            types: all().map(|(_, ty)| (&*ty.name, ty)).collect(),
            inputs: all().filter_map(input).collect(),
            enums: all().filter_map(values).collect(),
            directives: schema.directives.iter().chain(&meta.directives).map(DirectiveDefinition::new).collect(),
            by_name,
            coordinates,
        }
    }

    /// Returns the object, interface or union called `name`.
    pub(super) fn composite(&self, name: &str) -> Option<&Composite> {
        self.by_name.get(name).map(|at| &self.composites[*at])
    }

    /// Returns the field called `name` of a type; `__schema` and `__type` are fields of the query root.
    pub(super) fn field(&'static self, of: &'static Composite, name: &str) -> Option<&'static FieldDefinition> {
        of.fields.get(name).or_else(|| (name == "__typename").then_some(&self.typename))
    }

    /// Returns the definition of a selected field on an object of type `of`; its selection may be on an interface.
    #[inline]
    pub(super) fn definition(
        &'static self,
        of: &'static Composite,
        field: &ast::Field,
    ) -> Option<&'static FieldDefinition> {
        let visited = field.definition.get().filter(|visited| visited.owner.is_none_or(|owner| owner == of.at));
        visited.or_else(|| self.field(of, field.name))
    }

    /// Returns the composite type of a field; `None` for a leaf.
    pub(super) fn type_of(&self, field: &FieldDefinition) -> Option<&Composite> {
        field.of.map(|at| &self.composites[at])
    }

    /// Returns the possible object types of a type.
    pub(super) fn possible<'a>(&'a self, of: &'a Composite) -> impl ExactSizeIterator<Item = &'a Composite> {
        of.possible.iter().map(|at| &self.composites[*at])
    }

    /// Returns the root type for a kind of operation.
    pub(super) fn root(&self, kind: OperationKind) -> Option<&Composite> {
        match kind {
            OperationKind::Query => Some(&self.composites[self.query]),
            OperationKind::Mutation => self.mutation.map(|at| &self.composites[at]),
            OperationKind::Subscription => None,
        }
    }

    /// Returns the directive called `name`.
    pub(super) fn directive(&self, name: &str) -> Option<&DirectiveDefinition> {
        self.directives.get(name)
    }

    /// Returns the input type called `name`.
    pub(super) fn input(&self, name: &str) -> Option<&InputObject> {
        self.inputs.get(name)
    }

    /// Returns the type called `name`, including built-in scalars and introspection types.
    pub(super) fn ty(&self, name: &str) -> Option<&'static Type> {
        self.types.get(name).copied()
    }

    /// Returns whether `name` is an input type: a scalar, an enum or an input object.
    pub(super) fn is_input(&self, name: &str) -> bool {
        let kind = self.ty(name).map(|ty| &ty.kind);
        matches!(kind, Some(Kind::Scalar { .. } | Kind::Enum { .. } | Kind::Input { .. }))
    }

    /// Returns the values of the enum called `name`.
    pub(super) fn enum_values(&self, name: &str) -> Option<&'static [sdl::EnumValue]> {
        self.enums.get(name).map(|definition| definition.values)
    }

    /// Returns a value of the enum called `name`, with its coordinate.
    pub(super) fn enum_value(&self, name: &str, value: &str) -> Option<(&'static str, Option<CoordinateId>)> {
        let EnumDefinition { values, coordinates } = self.enums.get(name)?;
        let at = values.iter().position(|known| known.name == value)?;
        Some((&values[at].name, coordinates[at]))
    }
}

impl Composite {
    /// Returns whether the object type `ty` is one of the possible types.
    pub(super) fn includes(&self, ty: &Composite) -> bool {
        self.possible_bits[ty.at / 64] >> (ty.at % 64) & 1 == 1
    }

    /// Returns whether both types have a possible type in common.
    pub(super) fn overlaps(&self, other: &Composite) -> bool {
        self.possible_bits.iter().zip(&other.possible_bits).any(|(a, b)| a & b != 0)
    }

    /// Returns the names of its fields.
    pub(super) fn field_names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.names()
    }
}

impl FieldDefinition {
    /// Builds the definition of a field of `ty`; `owner` and `of` are the positions of `ty` and of the type of the field.
    fn new(
        coordinates: &Coordinates,
        ty: &Type,
        field: &'static sdl::Field,
        is_async: bool,
        owner: usize,
        of: Option<usize>,
    ) -> Self {
        let at = coordinate::member(&ty.name, &field.name);
        let argument = |input: &sdl::Input| coordinates.id(&coordinate::argument(&at, &input.name));
        let arguments = input_definitions(&field.args, argument);
        let key = written_key(&field.name).leak();
        Self { owner: Some(owner), field, key, arguments, is_async, coordinate: coordinates.id(&at), of }
    }

    fn typename() -> Self {
        let ty = Ty { wrap: vec![Wrap::NonNull], name: "String".to_owned() };
        let name = "__typename".to_owned();
        let field = sdl::Field { name, description: None, args: Box::default(), ty, deprecated: None };
        let field = Box::leak(Box::new(field));
        let key = r#","__typename":"#;
        Self { owner: None, field, key, arguments: Box::default(), is_async: false, coordinate: None, of: None }
    }

    /// Returns whether its type is composite.
    pub(super) fn has_fields(&self) -> bool {
        self.of.is_some()
    }
}

/// Returns whether a type is an object, an interface or a union.
fn is_composite(ty: &Type) -> bool {
    matches!(ty.kind, Kind::Object { .. } | Kind::Interface { .. } | Kind::Union { .. })
}

/// Returns a key as it is written: `,"key":`.
pub(super) fn written_key(key: &str) -> String {
    [",\"", key, "\":"].concat()
}

impl InputObject {
    /// Returns the field called `name`.
    pub(super) fn field(&self, name: &str) -> Option<&InputDefinition> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl DirectiveDefinition {
    fn new(directive: &'static sdl::Directive) -> (&'static str, Self) {
        let sdl::Directive { name, args, locations, repeatable, .. } = directive;
        (name, Self { locations, repeatable: *repeatable, arguments: input_definitions(args, |_| None) })
    }
}

/// Builds input definitions; `coordinate` returns the id of each.
pub(super) fn input_definitions(
    inputs: &'static [sdl::Input],
    coordinate: impl Fn(&sdl::Input) -> Option<CoordinateId>,
) -> Box<[InputDefinition]> {
    let default = |text: &'static String| parse::parse_value(text).expect("the build has checked the defaults");
    let definition = |i: &'static sdl::Input| InputDefinition {
        input: i,
        name: &i.name,
        ty: &i.ty,
        default: i.default.as_ref().map(default),
        coordinate: coordinate(i),
    };
    inputs.iter().map(definition).collect()
}
