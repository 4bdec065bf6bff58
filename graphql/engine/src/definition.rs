//! What the SDL of a version defines: its types and directives, with their contents in document order.
//!
//! Made by [`super::parse`], linked by [`super::model`], numbered by [`super::coordinate`].

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use dated_graphql_syntax::{Description, Literal, Wrap, write_type};

use super::small_map::name_hash;
use super::value::Value;

/// Identifies a coordinate in its version: its position in [`super::coordinate::CoordinateNames`].
pub(super) type CoordinateId = u32;

/// A named type.
#[derive(Debug)]
pub(super) struct Type {
    pub name: &'static str,
    pub description: Option<Description<'static>>,
    pub kind: Kind,
    /// `None` for built-in types.
    pub coordinate: Option<CoordinateId>,
    /// Its position among the types of its model.
    pub at: usize,
    /// The positions of its possible object types, in document order; none for a leaf or an input type.
    pub possible: Box<[usize]>,
    /// The same, as a bit set.
    pub possible_bits: Box<[u64]>,
}

/// The kind of a type, with its contents in document order.
#[derive(Debug)]
pub(super) enum Kind {
    Scalar { specified_by: Option<Cow<'static, str>> },
    Object { implements: Vec<&'static str>, fields: ByName<FieldDefinition> },
    Interface { implements: Vec<&'static str>, fields: ByName<FieldDefinition> },
    Union { members: Vec<&'static str> },
    Enum { values: Box<[EnumValue]> },
    Input(InputObject),
}

/// A field of an object or interface.
#[derive(Debug)]
pub(super) struct FieldDefinition {
    pub name: &'static str,
    pub description: Option<Description<'static>>,
    pub arguments: Box<[InputDefinition]>,
    pub ty: TypeRef,
    /// The reason of a deprecation.
    pub deprecated: Option<Cow<'static, str>>,
    /// Its key in a response, unless it has an alias: `,"name":`.
    pub key: Box<str>,
    /// Whether a resolver is awaited for its value; otherwise it is preloaded with its parent.
    pub is_async: bool,
    /// `None` for introspection fields.
    pub coordinate: Option<CoordinateId>,
    /// The position of the type whose field it is; `None` for `__typename`, `__schema` and `__type`.
    pub owner: Option<usize>,
    /// The position of its type; `None` for a leaf.
    pub of: Option<usize>,
}

/// An argument, or a field of an input type.
#[derive(Debug)]
pub(super) struct InputDefinition {
    pub name: &'static str,
    pub description: Option<Description<'static>>,
    pub ty: TypeRef,
    pub default: Option<Box<InputDefault>>,
    /// The reason of a deprecation.
    pub deprecated: Option<Cow<'static, str>>,
    /// `None` for introspection and directives.
    pub coordinate: Option<CoordinateId>,
}

/// The default of an argument or of a field of an input type.
#[derive(Debug)]
pub(super) struct InputDefault {
    pub literal: Literal<'static>,
    /// Coerced by [`super::model`], with the defaults that it takes in.
    pub value: OnceLock<Value>,
}

/// The contents of an input type.
#[derive(Debug)]
pub(super) struct InputObject {
    pub one_of: bool,
    pub fields: Box<[InputDefinition]>,
}

/// A value of an enum.
#[derive(Debug)]
pub(super) struct EnumValue {
    pub name: &'static str,
    pub description: Option<Description<'static>>,
    /// The reason of a deprecation.
    pub deprecated: Option<Cow<'static, str>>,
    /// `None` for introspection.
    pub coordinate: Option<CoordinateId>,
}

/// A directive.
#[derive(Debug)]
pub(super) struct DirectiveDefinition {
    pub name: &'static str,
    pub description: Option<Description<'static>>,
    pub arguments: Box<[InputDefinition]>,
    pub repeatable: bool,
    /// The names of the specification, such as `FIELD_DEFINITION`.
    pub locations: Vec<&'static str>,
}

/// A reference to a type: a name and its wrappers.
#[derive(Debug)]
pub(super) struct TypeRef {
    /// Outermost first: `[String!]` is `[List, NonNull]` and `String`.
    pub wrap: Box<[Wrap]>,
    pub name: &'static str,
}

/// Items in document order, found by their names.
#[derive(Debug)]
pub(super) struct ByName<T> {
    pub items: Box<[T]>,
    /// The hash of the name of each item with its position, sorted: smaller than a hash table, and as fast to search.
    order: Box<[(u32, u32)]>,
}

/// An item with a name.
pub(super) trait Named {
    fn name(&self) -> &'static str;
}

impl Named for FieldDefinition {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl Named for &Type {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl Named for &DirectiveDefinition {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl<T: Named> ByName<T> {
    #[inline]
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        let hash = name_hash(name);
        let first = self.order.partition_point(|(known, _)| *known < hash);
        let alike = self.order[first..].iter().take_while(|(known, _)| *known == hash);
        alike.map(|(_, at)| &self.items[*at as usize]).find(|item| item.name() == name)
    }
}

impl<T: Named> From<Box<[T]>> for ByName<T> {
    fn from(items: Box<[T]>) -> Self {
        let mut order: Box<[_]> = items.iter().zip(0..).map(|(item, at)| (name_hash(item.name()), at)).collect();
        order.sort_unstable();
        Self { items, order }
    }
}

impl Type {
    pub(super) fn new(name: &'static str, description: Option<Description<'static>>, kind: Kind) -> Self {
        let (possible, possible_bits) = (Box::default(), Box::default());
        Self { name, description, kind, coordinate: None, at: 0, possible, possible_bits }
    }

    /// Returns whether it is an object type, and not an interface or union.
    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object { .. })
    }

    /// Returns the fields of an object or interface; none for other kinds.
    pub(super) fn fields(&self) -> &[FieldDefinition] {
        match &self.kind {
            Kind::Object { fields, .. } | Kind::Interface { fields, .. } => &fields.items,
            _ => &[],
        }
    }

    /// Returns the field called `name` of an object or interface.
    #[inline]
    pub(super) fn field(&self, name: &str) -> Option<&FieldDefinition> {
        match &self.kind {
            Kind::Object { fields, .. } | Kind::Interface { fields, .. } => fields.get(name),
            _ => None,
        }
    }

    /// Returns whether the object type `ty` is one of the possible types.
    pub(super) fn includes(&self, ty: &Type) -> bool {
        self.possible_bits.get(ty.at / 64).is_some_and(|word| word >> (ty.at % 64) & 1 == 1)
    }

    /// Returns whether both types have a possible type in common.
    pub(super) fn overlaps(&self, other: &Type) -> bool {
        self.possible_bits.iter().zip(&other.possible_bits).any(|(a, b)| a & b != 0)
    }
}

impl Kind {
    /// Returns whether it is an object, an interface or a union.
    pub(super) fn is_composite(&self) -> bool {
        matches!(self, Kind::Object { .. } | Kind::Interface { .. } | Kind::Union { .. })
    }

    /// Returns the fields of an object or interface; none for other kinds.
    pub(super) fn fields_mut(&mut self) -> &mut [FieldDefinition] {
        match self {
            Kind::Object { fields, .. } | Kind::Interface { fields, .. } => &mut fields.items,
            _ => &mut [],
        }
    }
}

impl FieldDefinition {
    pub(super) fn new(name: &'static str, arguments: Box<[InputDefinition]>, ty: TypeRef) -> Self {
        let (key, is_async, coordinate) = (written_key(name).into(), false, None);
        Self {
            name,
            description: None,
            arguments,
            ty,
            deprecated: None,
            key,
            is_async,
            coordinate,
            owner: None,
            of: None,
        }
    }

    pub(super) fn typename() -> Self {
        Self::new("__typename", Box::default(), TypeRef { wrap: [Wrap::NonNull].into(), name: "String" })
    }

    /// Returns whether its type is composite.
    pub(super) fn has_fields(&self) -> bool {
        self.of.is_some()
    }
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

impl TypeRef {
    /// Returns whether the outermost wrapper is non-null.
    pub(super) fn is_non_null(&self) -> bool {
        self.wrap.first() == Some(&Wrap::NonNull)
    }
}

impl fmt::Display for TypeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, &self.wrap, self.name)
    }
}
