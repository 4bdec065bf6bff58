//! The intermediate form of a version: the output of `lower`, the input of `vocabulary` and `dispatch`.

use super::rust_type::RustType;

/// A version, ready to be written.
pub(super) struct Lowered {
    /// `2026-10`
    pub version: String,
    /// `v2026_10`
    pub module: String,
    /// `V2026_10`
    pub marker: String,
    /// The modules of the older versions, newest first.
    pub older: Vec<String>,
    /// The Rust names of items that are re-exported from the previous version.
    pub reused: Vec<String>,
    pub items: Vec<Item>,
    pub writers: Vec<Writer>,
    /// The coordinates of the resolved fields of entities.
    pub resolved: Vec<String>,
    /// The custom scalars of arguments and input fields, with their Rust types.
    pub scalars: Vec<(String, String)>,
    /// The path of the version that writes the fields of the query root.
    pub query: String,
    pub mutation: Option<String>,
}

/// A description and a deprecation.
#[derive(Clone, Default)]
pub(super) struct Doc {
    pub description: Option<String>,
    pub deprecated: Option<String>,
}

/// An item of the vocabulary.
pub(super) enum Item {
    /// The trait that hand-written code implements for an entity or a root.
    Trait {
        doc: Doc,
        name: String,
        /// The name in the SDL.
        graphql_name: String,
        /// The module of the trait that this one extends.
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
    /// Whether the method takes the context. A root is the context itself.
    pub context: bool,
    pub args: Vec<(String, RustType)>,
    pub output: RustType,
    /// Whether it is async and fallible.
    pub is_async: bool,
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

/// How the values of one type are written into a response, or read from a request.
pub(super) enum Writer {
    /// An enum: the names of its values in SDL and Rust.
    Leaf { name: String, values: Vec<(String, String)> },
    /// An input, read from the request.
    Parse { name: String, fields: Vec<ReadInput> },
    /// An object without async fields.
    Preloaded { target: Target, graphql_name: String, fields: Vec<Read>, responses: Responses },
    /// An object with async fields. The version `older` writes the fields that are not in `fields`.
    Object { target: Target, graphql_name: String, fields: Vec<Read>, older: Option<String>, responses: Responses },
    /// A union or interface.
    Choice { target: Target, variants: Vec<Variant>, is_async: bool, responses: Responses },
    /// An entity that the version `older` writes.
    Reused { target: Target, is_async: bool, older: String },
}

/// The responses in which a type is written by this version.
pub(super) enum Responses {
    /// The responses of this version.
    OfThis,
    /// The responses of every version in which these entities are async, or not, as listed: entity, and whether it is async.
    OfAll(Vec<(String, bool)>),
}

/// A member of a union or interface.
pub(super) struct Variant {
    pub name: String,
    /// Whether writing it is async.
    pub is_async: bool,
}

/// The Rust type of a writer.
#[derive(Clone)]
pub(super) enum Target {
    Query,
    Mutation,
    Entity(String),
    Item {
        name: String,
        borrows: bool,
        /// Whether the future that writes it is boxed.
        is_boxed: bool,
    },
}

impl Target {
    pub(super) fn is_root(&self) -> bool {
        matches!(self, Target::Query | Target::Mutation)
    }
}

/// How one field is read and written.
pub(super) struct Read {
    pub graphql_name: String,
    pub source: Source,
    /// The names of the arguments in the SDL.
    pub args: Vec<String>,
    pub is_async: bool,
    pub value: ReadValue,
}

/// How one field of an input is read.
pub(super) struct ReadInput {
    /// The name in Rust.
    pub name: String,
    pub graphql_name: String,
    pub ty: RustType,
}

/// The place from which a field is read.
pub(super) enum Source {
    /// A field of the struct.
    Member(String),
    /// The query root itself, which needs only the context.
    QueryRoot { nullable: bool },
    /// A method of a trait of this version, or of another version given by its module.
    Method { module: Option<String>, trait_name: String, method: String, context: bool },
}

/// How the value of a field is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadValue {
    Preloaded,
    Async,
}
