//! The model of one version of the schema.
//!
//! [`Schema::parse`] builds it from SDL that passed every rule, so callers do not check it again. Names follow the GraphQL
//! specification, section 3.

use std::collections::HashMap;
use std::fmt;

pub use dated_graphql_syntax::Wrap;

/// One version of the API.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The version's name, `2026-10`.
    pub version: String,
    /// The description of the schema itself.
    pub description: Option<String>,
    /// The name of the query root.
    pub query: String,
    /// The name of the mutation root, if there is one.
    pub mutation: Option<String>,
    /// The name of the subscription root.
    pub subscription: Option<String>,
    /// The name of the subscription root if subscriptions are left out, because they are not served.
    pub unserved: Option<String>,
    /// The types in document order; the five built-in scalars only if the document defines them.
    pub types: Vec<Type>,
    /// The directives that the document defines, in document order.
    pub directives: Vec<Directive>,
    /// The index of each type in `types`.
    index: HashMap<String, usize>,
    /// The indices of the objects that implement each interface, in document order.
    implementers: HashMap<String, Vec<usize>>,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct Type {
    /// The name in the SDL.
    pub name: String,
    /// The description without quotes and indentation.
    pub description: Option<String>,
    /// The kind, with the contents.
    pub kind: Kind,
}

/// The kind of a type, with its contents.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A scalar.
    Scalar {
        /// The address in `@specifiedBy`.
        specified_by: Option<String>,
    },
    /// An object type.
    Object {
        /// The names of the interfaces.
        implements: Vec<String>,
        /// The fields in document order.
        fields: Box<[Field]>,
    },
    /// An interface.
    Interface {
        /// The names of the interfaces.
        implements: Vec<String>,
        /// The fields in document order.
        fields: Box<[Field]>,
    },
    /// A union.
    Union {
        /// The names of the object types, in document order.
        members: Vec<String>,
    },
    /// An enum.
    Enum {
        /// The values in document order.
        values: Box<[EnumValue]>,
    },
    /// An input type.
    Input {
        /// Whether it is `@oneOf`: a value has exactly one of the fields.
        one_of: bool,
        /// The fields in document order.
        fields: Box<[Input]>,
    },
}

/// A field of an object or interface.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name in the SDL.
    pub name: String,
    /// The description without quotes and indentation.
    pub description: Option<String>,
    /// The arguments in document order.
    pub args: Box<[Input]>,
    /// The type with its wrappers.
    pub ty: Ty,
    /// The deprecation reason, if it is deprecated.
    pub deprecated: Option<String>,
}

/// An argument, or a field of an input type.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name in the SDL.
    pub name: String,
    /// The description without quotes and indentation.
    pub description: Option<String>,
    /// The type with its wrappers.
    pub ty: Ty,
    /// The default value as text of the SDL.
    pub default: Option<String>,
    /// The deprecation reason, if it is deprecated.
    pub deprecated: Option<String>,
}

/// A value of an enum.
#[derive(Clone, Debug)]
pub struct EnumValue {
    /// The name in the SDL.
    pub name: String,
    /// The description without quotes and indentation.
    pub description: Option<String>,
    /// The deprecation reason, if it is deprecated.
    pub deprecated: Option<String>,
}

/// A directive that the document defines.
#[derive(Clone, Debug)]
pub struct Directive {
    /// The name without `@`.
    pub name: String,
    /// The description without quotes and indentation.
    pub description: Option<String>,
    /// The arguments in document order.
    pub args: Box<[Input]>,
    /// The names of the specification, such as `FIELD_DEFINITION`.
    pub locations: Vec<&'static str>,
    /// Whether an element can have it several times.
    pub repeatable: bool,
}

/// A reference to a type: a name and its wrappers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ty {
    /// Outermost first: `[String!]` is `[List, NonNull]` and `String`.
    pub wrap: Vec<Wrap>,
    /// The name of the innermost type.
    pub name: String,
}

impl Schema {
    /// Makes a schema from its parts.
    pub(crate) fn new(version: String, roots: Roots, types: Vec<Type>, directives: Vec<Directive>) -> Self {
        let mut index = HashMap::with_capacity(types.len());
        let mut implementers: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, ty) in types.iter().enumerate() {
            index.entry(ty.name.clone()).or_insert(at);
            if let Kind::Object { implements, .. } = &ty.kind {
                implements.iter().for_each(|name| implementers.entry(name.clone()).or_default().push(at));
            }
        }
        let Roots { description, query, mutation, subscription } = roots;
        let unserved = None;
        Self { version, description, query, mutation, subscription, unserved, types, directives, index, implementers }
    }

    /// Returns the schema with other types.
    pub fn with_types(&self, types: Vec<Type>) -> Self {
        let Self { version, description, query, mutation, subscription, directives, .. } = self.clone();
        Self::new(version, Roots { description, query, mutation, subscription }, types, directives)
    }

    /// Returns the type `name`; a built-in scalar only if the document defines it.
    pub fn get(&self, name: &str) -> Option<&Type> {
        self.index_of(name).map(|at| &self.types[at])
    }

    /// Returns the index in `types` of the type `name`.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Returns the object types that implement `interface`, in document order.
    pub fn implementers<'a>(&'a self, interface: &str) -> impl Iterator<Item = &'a str> {
        self.implementers.get(interface).into_iter().flatten().map(|at| &*self.types[*at].name)
    }

    /// Returns the possible object types of `ty`: itself, the members of a union, the implementers of an interface.
    pub fn possible_types<'a>(&'a self, ty: &'a Type) -> Vec<&'a str> {
        match &ty.kind {
            Kind::Object { .. } => vec![&ty.name],
            Kind::Union { members } => members.iter().map(|m| &**m).collect(),
            Kind::Interface { .. } => self.implementers(&ty.name).collect(),
            _ => vec![],
        }
    }

    /// Returns whether `name` is a root.
    pub fn is_root(&self, name: &str) -> bool {
        self.roots().any(|root| root == name)
    }

    /// Returns the names of the roots.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        [Some(&self.query), self.mutation.as_ref(), self.subscription.as_ref()]
            .into_iter()
            .flatten()
            .map(|name| &**name)
    }
}

/// The contents of the `schema { … }` block, or its defaults.
pub(crate) struct Roots {
    pub description: Option<String>,
    pub query: String,
    pub mutation: Option<String>,
    pub subscription: Option<String>,
}

impl Type {
    /// Returns the fields of an object or interface; none for other kinds.
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            Kind::Object { fields, .. } | Kind::Interface { fields, .. } => fields,
            _ => &[],
        }
    }

    /// Returns the field `name` of an object or interface.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().find(|f| f.name == name)
    }

    /// Returns the interfaces that an object or interface implements.
    pub fn implements(&self) -> &[String] {
        match &self.kind {
            Kind::Object { implements, .. } | Kind::Interface { implements, .. } => implements,
            _ => &[],
        }
    }
}

impl Ty {
    /// Returns whether the outermost wrapper is non-null.
    pub fn is_non_null(&self) -> bool {
        self.wrap.first() == Some(&Wrap::NonNull)
    }

    /// Returns whether it is a list.
    pub fn is_list(&self) -> bool {
        self.wrap.contains(&Wrap::List)
    }

    /// Returns the type without an outermost non-null.
    pub fn nullable(&self) -> Ty {
        Ty { wrap: self.wrap[usize::from(self.is_non_null())..].to_vec(), name: self.name.clone() }
    }

    /// Returns the type of an item of a list.
    pub fn item(&self) -> Option<Ty> {
        match self.nullable().wrap.split_first() {
            Some((Wrap::List, inner)) => Some(Ty { wrap: inner.to_vec(), name: self.name.clone() }),
            _ => None,
        }
    }
}

impl fmt::Display for Ty {
    /// Writes the type as in SDL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dated_graphql_syntax::write_type(f, &self.wrap, &self.name)
    }
}

impl From<&dated_graphql_syntax::Type<'_>> for Ty {
    fn from(ty: &dated_graphql_syntax::Type<'_>) -> Self {
        Self { wrap: ty.wrap.clone(), name: ty.name.text.to_owned() }
    }
}
