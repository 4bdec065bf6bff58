//! The tree of a type system document, borrowed from its text (GraphQL specification, section 3).

use std::borrow::Cow;
use std::collections::HashMap;

use crate::error::Span;
use crate::node::{Directive, Name, Type, Value};
use crate::string;

/// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationKind {
    /// `query`
    Query,
    /// `mutation`
    Mutation,
    /// `subscription`
    Subscription,
}

/// The definitions of a schema, each list in document order.
#[derive(Clone, Debug, Default)]
pub struct TypeSystemDocument<'a> {
    /// The schema definitions; a valid document has at most one.
    pub schemas: Vec<SchemaDefinition<'a>>,
    /// The type definitions.
    pub types: Vec<TypeDefinition<'a>>,
    /// The directive definitions.
    pub directives: Vec<DirectiveDefinition<'a>>,
    /// `extend schema …`
    pub schema_extensions: Vec<SchemaDefinition<'a>>,
    /// `extend type …`, and the other kinds.
    pub type_extensions: Vec<TypeDefinition<'a>>,
}

/// A schema definition or extension: `schema { query: Query }`.
#[derive(Clone, Debug)]
pub struct SchemaDefinition<'a> {
    pub description: Option<Description<'a>>,
    /// The bytes of the word `schema`.
    pub span: Span,
    pub directives: Vec<Directive<'a>>,
    /// The types of its operations.
    pub roots: Vec<RootDefinition<'a>>,
}

/// The root type of an operation: `query: Query`.
#[derive(Clone, Copy, Debug)]
pub struct RootDefinition<'a> {
    pub kind: OperationKind,
    /// The name of the operation.
    pub operation: Name<'a>,
    /// The name of the type.
    pub ty: Name<'a>,
}

/// The definition or extension of a type. The lists that its kind does not have are empty.
#[derive(Clone, Debug)]
pub struct TypeDefinition<'a> {
    pub description: Option<Description<'a>>,
    pub kind: TypeKind,
    pub name: Name<'a>,
    /// The interfaces that an object or interface implements.
    pub implements: Vec<Name<'a>>,
    pub directives: Vec<Directive<'a>>,
    /// The fields of an object or interface.
    pub fields: Vec<FieldDefinition<'a>>,
    /// The members of a union.
    pub members: Vec<Name<'a>>,
    /// The values of an enum.
    pub values: Vec<EnumValueDefinition<'a>>,
    /// The fields of an input type.
    pub inputs: Vec<InputValueDefinition<'a>>,
}

/// The kind of a named type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `scalar`
    Scalar,
    /// `type`
    Object,
    /// `interface`
    Interface,
    /// `union`
    Union,
    /// `enum`
    Enum,
    /// `input`
    Input,
}

/// A field of an object or interface.
#[derive(Clone, Debug)]
pub struct FieldDefinition<'a> {
    pub description: Option<Description<'a>>,
    pub name: Name<'a>,
    pub arguments: Vec<InputValueDefinition<'a>>,
    pub ty: Type<'a>,
    pub directives: Vec<Directive<'a>>,
}

/// An argument, or a field of an input type.
#[derive(Clone, Debug)]
pub struct InputValueDefinition<'a> {
    pub description: Option<Description<'a>>,
    pub name: Name<'a>,
    pub ty: Type<'a>,
    pub default: Option<Value<'a>>,
    pub directives: Vec<Directive<'a>>,
}

/// A value of an enum.
#[derive(Clone, Debug)]
pub struct EnumValueDefinition<'a> {
    pub description: Option<Description<'a>>,
    pub name: Name<'a>,
    pub directives: Vec<Directive<'a>>,
}

/// The definition of a directive.
#[derive(Clone, Debug)]
pub struct DirectiveDefinition<'a> {
    pub description: Option<Description<'a>>,
    /// From the `@` to the end of the name.
    pub span: Span,
    /// The name without `@`.
    pub name: Name<'a>,
    pub arguments: Vec<InputValueDefinition<'a>>,
    /// Whether an element can have it several times.
    pub repeatable: bool,
    /// The names of the specification, such as `FIELD_DEFINITION`.
    pub locations: Vec<&'static str>,
}

/// The description of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Description<'a> {
    /// Its bytes, with the quotes.
    pub span: Span,
    /// The string or block string with its quotes.
    pub(crate) literal: &'a str,
}

impl<'a> Description<'a> {
    /// Returns the text.
    pub fn text(self) -> Cow<'a, str> {
        string::value(self.literal)
    }
}

impl TypeDefinition<'_> {
    /// Returns whether an input type is `@oneOf`.
    pub fn is_one_of(&self) -> bool {
        self.directives.iter().any(|directive| directive.name.text == "oneOf")
    }
}

impl RootDefinition<'_> {
    /// Returns the span from the operation to the type.
    pub fn span(&self) -> Span {
        Span { start: self.operation.span.start, end: self.ty.span.end }
    }
}

impl InputValueDefinition<'_> {
    /// Returns whether a value is required.
    pub fn is_required(&self) -> bool {
        self.ty.is_non_null() && self.default.is_none()
    }
}

impl OperationKind {
    /// Every kind, with its keyword and the name that its root has by default.
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Query, "query", "Query"),
        (Self::Mutation, "mutation", "Mutation"),
        (Self::Subscription, "subscription", "Subscription"),
    ];

    /// Returns the kind that a keyword begins.
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, own, _)| *own == keyword).map(|(kind, ..)| kind)
    }
}

impl TypeKind {
    /// Returns the kind that a keyword begins.
    pub(crate) fn from_keyword(keyword: &str) -> Option<Self> {
        Some(match keyword {
            "scalar" => Self::Scalar,
            "type" => Self::Object,
            "interface" => Self::Interface,
            "union" => Self::Union,
            "enum" => Self::Enum,
            "input" => Self::Input,
            _ => return None,
        })
    }

    /// Returns the kind in words, with its article.
    pub fn kind_name(self) -> &'static str {
        match self {
            Self::Scalar => "a scalar",
            Self::Object => "an object type",
            Self::Interface => "an interface",
            Self::Union => "a union",
            Self::Enum => "an enum",
            Self::Input => "an input type",
        }
    }
}

impl<'a> TypeSystemDocument<'a> {
    /// Moves the contents of each extension to the definition that it extends (GraphQL specification, sections 3.3.2 and 3.4.3).
    /// Drops an extension of a type that is not defined with its kind.
    pub fn merge_extensions(&mut self) {
        let extensions = std::mem::take(&mut self.schema_extensions);
        if self.schemas.is_empty()
            && let Some(first) = extensions.first()
        {
            let (description, directives) = (None, vec![]);
            let roots = self.default_roots(&extensions);
            self.schemas.push(SchemaDefinition { description, span: first.span, directives, roots });
        }
        for extension in extensions {
            self.schemas[0].directives.extend(extension.directives);
            self.schemas[0].roots.extend(extension.roots);
        }
        let extensions = std::mem::take(&mut self.type_extensions);
        if extensions.is_empty() {
            return;
        }
        let mut types: HashMap<&str, &mut TypeDefinition<'a>> = HashMap::with_capacity(self.types.len());
        for ty in &mut self.types {
            types.entry(ty.name.text).or_insert(ty);
        }
        for extension in extensions {
            let extended = types.get_mut(extension.name.text);
            if let Some(ty) = extended.filter(|ty| ty.kind == extension.kind) {
                ty.implements.extend(extension.implements);
                ty.directives.extend(extension.directives);
                ty.fields.extend(extension.fields);
                ty.members.extend(extension.members);
                ty.values.extend(extension.values);
                ty.inputs.extend(extension.inputs);
            }
        }
    }

    /// Returns the root types that are found by their names: without a schema definition, and not named by a schema extension.
    fn default_roots(&self, extensions: &[SchemaDefinition<'a>]) -> Vec<RootDefinition<'a>> {
        let is_named = |kind| extensions.iter().flat_map(|extension| &extension.roots).any(|root| root.kind == kind);
        let roots = OperationKind::ALL.into_iter().filter(|(kind, ..)| !is_named(*kind));
        let roots = roots.filter_map(|(kind, keyword, default)| {
            let ty = self.types.iter().find(|ty| ty.name.text == default)?.name;
            Some(RootDefinition { kind, operation: Name { text: keyword, ..ty }, ty })
        });
        roots.collect()
    }
}
