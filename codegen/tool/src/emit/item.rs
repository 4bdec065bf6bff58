//! What is emitted for a version, decided: the input of `vocabulary` and `dispatch`.

use super::rust_type::RustType;

/// A version, ready to be written down.
pub(super) struct Lowered {
    /// `2026-10`
    pub version: String,
    /// `v2026_10`
    pub module: String,
    /// `V2026_10`
    pub marker: String,
    /// The modules of all other versions.
    pub others: Vec<String>,
    /// The module of the version before.
    pub previous: Option<String>,
    /// Items that the version before already has, by their Rust names.
    pub reused: Vec<String>,
    pub items: Vec<Item>,
    pub writers: Vec<Writer>,
    /// Whose dispatch writes the query root.
    pub query: Family,
    /// Whose dispatch writes the mutation root, where there is one.
    pub mutation: Option<Family>,
}

/// A description and a deprecation.
#[derive(Clone, Default)]
pub(super) struct Doc {
    pub description: Option<String>,
    pub deprecated: Option<String>,
}

/// An item of the vocabulary.
pub(super) enum Item {
    /// What hand-written code implements for an entity or a root.
    Trait {
        doc: Doc,
        name: String,
        /// As the SDL has it.
        graphql_name: String,
        /// The module of the version whose trait this one extends.
        supertrait: Option<String>,
        methods: Vec<Method>,
    },
    /// A value.
    Struct {
        doc: Doc,
        name: String,
        borrows: bool,
        fields: Vec<Member>,
    },
    /// A union or interface.
    Choice {
        doc: Doc,
        name: String,
        borrows: bool,
        variants: Vec<(String, RustType)>,
    },
    Enum {
        doc: Doc,
        name: String,
        values: Vec<Value>,
    },
    Input {
        doc: Doc,
        name: String,
        fields: Vec<Member>,
    },
}

/// A method of a trait.
pub(super) struct Method {
    pub doc: Doc,
    pub name: String,
    /// Whether the context is passed: for an entity; a root is the context.
    pub context: bool,
    pub args: Vec<(String, RustType)>,
    pub output: RustType,
    /// Whether it waits and can fail.
    pub resolved: bool,
}

/// A field of a struct or input.
pub(super) struct Member {
    pub doc: Doc,
    pub name: String,
    pub ty: RustType,
}

/// A value of an enum.
pub(super) struct Value {
    pub doc: Doc,
    pub name: String,
}

/// How the values of one type are written into an answer.
pub(super) enum Writer {
    /// An enum: the names of its values in the SDL and in Rust.
    Leaf { name: String, values: Vec<(String, String)> },
    /// An input, read from what the caller sent: the names of its fields in Rust and in the SDL.
    Parse { name: String, fields: Vec<(String, String)> },
    /// An object whose fields are all there.
    Plain { target: Target, graphql_name: String, fields: Vec<Read> },
    /// An object with fields that wait.
    Object { target: Target, graphql_name: String, fields: Vec<Read> },
    /// A union or interface.
    Choice { target: Target, variants: Vec<Variant>, lazy: bool },
}

/// A member of a union or interface.
pub(super) struct Variant {
    pub name: String,
    /// Whether writing it waits.
    pub lazy: bool,
    pub family: Family,
}

/// The version whose dispatch writes a type.
#[derive(Clone)]
pub(super) enum Family {
    /// The version that is being written down.
    Own,
    /// Another one: its module and its marker.
    Of(String, String),
}

/// The Rust type that a writer is for.
#[derive(Clone)]
pub(super) enum Target {
    Query,
    Mutation,
    Entity(String),
    Item { name: String, borrows: bool },
}

impl Target {
    pub fn is_root(&self) -> bool {
        matches!(self, Target::Query | Target::Mutation)
    }
}

/// How one field is read and written.
pub(super) struct Read {
    pub graphql_name: String,
    pub from: From,
    /// The arguments, as the SDL has them.
    pub args: Vec<String>,
    pub resolved: bool,
    pub value: ReadValue,
    /// Whose dispatch writes the value.
    pub family: Family,
    /// Whether the value leads back to this type, so that the future must be boxed.
    pub leads_back: bool,
}

/// Where a field is.
pub(super) enum From {
    /// A field of the struct.
    Member(String),
    /// A method of a trait: of this version, or of the other one whose module is named.
    Method { module: Option<String>, trait_name: String, method: String, context: bool },
}

/// What the value of a field is, for writing it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadValue {
    Leaf,
    Plain,
    Nested,
}
