//! One version of the schema, as data: what the emitter, the planner, introspection and the checker read.
//!
//! Built by [`Schema::parse`] from SDL that passed every rule, so readers need not check anything again.
//! Names follow the GraphQL specification, section 3.

use std::collections::HashMap;
use std::fmt;

/// One version of the API.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The version's name, `2026-10`.
    pub version: String,
    /// The SDL, byte for byte.
    pub source: String,
    /// The description of the schema itself.
    pub description: Option<String>,
    /// The name of the query root.
    pub query: String,
    /// The name of the mutation root, where there is one.
    pub mutation: Option<String>,
    /// The types of the document, in its order; the five built-in scalars only where the document defines them.
    pub types: Vec<Type>,
    /// The directives the document defines, in its order; not the built-in ones.
    pub directives: Vec<Directive>,
    /// Where each type is in `types`.
    index: HashMap<String, usize>,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct Type {
    pub name: String,
    pub description: Option<String>,
    pub kind: Kind,
}

/// What a type is, with what only that kind has.
#[derive(Clone, Debug)]
pub enum Kind {
    Scalar { specified_by: Option<String> },
    Object { implements: Vec<String>, fields: Vec<Field> },
    Interface { implements: Vec<String>, fields: Vec<Field> },
    Union { members: Vec<String> },
    Enum { values: Vec<EnumValue> },
    Input { one_of: bool, fields: Vec<Input> },
}

/// A field of an object or interface.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub description: Option<String>,
    pub args: Vec<Input>,
    pub ty: Ty,
    /// Why the field is deprecated, where it is.
    pub deprecated: Option<String>,
}

/// An argument, or a field of an input type.
#[derive(Clone, Debug)]
pub struct Input {
    pub name: String,
    pub description: Option<String>,
    pub ty: Ty,
    /// The default value, as the SDL writes it.
    pub default: Option<String>,
    /// Why it is deprecated, where it is.
    pub deprecated: Option<String>,
}

/// A value of an enum.
#[derive(Clone, Debug)]
pub struct EnumValue {
    pub name: String,
    pub description: Option<String>,
    /// Why the value is deprecated, where it is.
    pub deprecated: Option<String>,
}

/// A directive that the document defines.
#[derive(Clone, Debug)]
pub struct Directive {
    pub name: String,
    pub description: Option<String>,
    pub args: Vec<Input>,
    /// Where it may stand, by the names of the specification (`FIELD_DEFINITION`).
    pub locations: Vec<&'static str>,
    pub repeatable: bool,
}

/// A type where it is used: a name, and what is wrapped around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ty {
    /// Outermost first: `[String!]` is `[List, NonNull]` around `String`.
    pub wrap: Vec<Wrap>,
    pub name: String,
}

/// One layer around a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrap {
    NonNull,
    List,
}

impl Schema {
    /// Puts a schema together.
    pub(crate) fn new(
        version: String,
        source: String,
        roots: Roots,
        types: Vec<Type>,
        directives: Vec<Directive>,
    ) -> Self {
        // The first of two types with one name wins; the rules have reported the second.
        let mut index = HashMap::with_capacity(types.len());
        for (at, ty) in types.iter().enumerate() {
            index.entry(ty.name.clone()).or_insert(at);
        }
        let Roots { description, query, mutation } = roots;
        Self { version, source, description, query, mutation, types, directives, index }
    }

    /// The type called `name`; a built-in scalar only where the document defines it.
    pub fn get(&self, name: &str) -> Option<&Type> {
        self.index.get(name).map(|at| &self.types[*at])
    }

    /// The object types that implement `interface`, in the order of the document.
    pub fn implementers<'a>(&'a self, interface: &'a str) -> impl Iterator<Item = &'a str> {
        self.types.iter().filter_map(move |ty| match &ty.kind {
            Kind::Object { implements, .. } if implements.iter().any(|i| i == interface) => Some(&*ty.name),
            _ => None,
        })
    }

    /// The object types a value of `ty` can be: itself, the members of a union, the implementers of an interface.
    pub fn possible_types<'a>(&'a self, ty: &'a Type) -> Vec<&'a str> {
        match &ty.kind {
            Kind::Object { .. } => vec![&ty.name],
            Kind::Union { members } => members.iter().map(|m| &**m).collect(),
            Kind::Interface { .. } => self.implementers(&ty.name).collect(),
            _ => vec![],
        }
    }

    /// Whether `name` is the query or the mutation root.
    pub fn is_root(&self, name: &str) -> bool {
        self.query == name || self.mutation.as_deref() == Some(name)
    }
}

/// The `schema { … }` block, or what stands for it.
pub(crate) struct Roots {
    pub description: Option<String>,
    pub query: String,
    pub mutation: Option<String>,
}

impl Type {
    /// The fields of an object or interface; none for the other kinds.
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            Kind::Object { fields, .. } | Kind::Interface { fields, .. } => fields,
            _ => &[],
        }
    }

    /// The field called `name` of an object or interface.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().iter().find(|f| f.name == name)
    }

    /// The interfaces an object or interface says it implements.
    pub fn implements(&self) -> &[String] {
        match &self.kind {
            Kind::Object { implements, .. } | Kind::Interface { implements, .. } => implements,
            _ => &[],
        }
    }
}

impl Ty {
    /// Whether null is no value of it.
    pub fn is_non_null(&self) -> bool {
        self.wrap.first() == Some(&Wrap::NonNull)
    }

    /// Whether its values are lists, at any depth.
    pub fn is_list(&self) -> bool {
        self.wrap.contains(&Wrap::List)
    }

    /// The same type with null allowed at the outside.
    pub fn nullable(&self) -> Ty {
        Ty { wrap: self.wrap[usize::from(self.is_non_null())..].to_vec(), name: self.name.clone() }
    }

    /// The type of an item, where this is a list (or a non-null list).
    pub fn item(&self) -> Option<Ty> {
        match self.nullable().wrap.split_first() {
            Some((Wrap::List, inner)) => Some(Ty { wrap: inner.to_vec(), name: self.name.clone() }),
            _ => None,
        }
    }
}

impl fmt::Display for Ty {
    /// As the SDL writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = self.wrap.iter().filter(|w| **w == Wrap::List).count();
        write!(f, "{}{}", "[".repeat(lists), self.name)?;
        for wrap in self.wrap.iter().rev() {
            f.write_str(match wrap {
                Wrap::NonNull => "!",
                Wrap::List => "]",
            })?;
        }
        Ok(())
    }
}
