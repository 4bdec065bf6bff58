//! A parsed document for the rules: types by name, and lists of definitions and uses.

use std::collections::BTreeMap;

use cynic_parser::TypeSystemDocument;
use cynic_parser::type_system::{Definition, Directive, DirectiveDefinition, InputValueDefinition, TypeDefinition};

use crate::ast;
pub use crate::ast::{fields, name_span};
use crate::diagnostic::{Diagnostic, Span};
use crate::nearest::nearest;

/// The scalars that every schema has (GraphQL specification, section 3.5).
pub const BUILT_IN: [&str; 5] = ["ID", "String", "Int", "Float", "Boolean"];

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

impl TypeKind {
    /// Returns the kind in words, with its article.
    pub fn kind_name(self) -> &'static str {
        match self {
            TypeKind::Scalar => "a scalar",
            TypeKind::Object => "an object type",
            TypeKind::Interface => "an interface",
            TypeKind::Union => "a union",
            TypeKind::Enum => "an enum",
            TypeKind::Input => "an input type",
        }
    }
}

/// A document and its types by name.
pub struct Document<'a> {
    /// The text that the spans refer to.
    pub source: &'a str,
    ast: &'a TypeSystemDocument,
    types: BTreeMap<&'a str, TypeDefinition<'a>>,
}

/// An argument or a field of an input.
pub struct LocatedInput<'a> {
    pub input: InputValueDefinition<'a>,
    /// `Query.book(id:)`, `BookCreateInput.genreId`
    pub path: String,
    pub argument: bool,
}

/// The arguments of a field or directive, or the fields of an input.
pub struct Group<'a> {
    /// `BookInput`, `Query.book`, `@auth`
    pub owner: String,
    pub inputs: Vec<InputValueDefinition<'a>>,
    pub argument: bool,
}

impl<'a> Document<'a> {
    /// Indexes the types of a syntax tree of `source`.
    pub fn new(ast: &'a TypeSystemDocument, source: &'a str) -> Self {
        let mut types = BTreeMap::new();
        for definition in ast.definitions() {
            if let Definition::Type(ty) = definition {
                types.entry(ty.name()).or_insert(ty);
            }
        }
        Self { source, ast, types }
    }

    /// Returns the definitions in the order of the document.
    pub fn definitions(&self) -> impl Iterator<Item = Definition<'a>> {
        self.ast.definitions()
    }

    /// Returns the types in the order of the document, including duplicates.
    pub fn types(&self) -> impl Iterator<Item = TypeDefinition<'a>> {
        self.ast.definitions().filter_map(|definition| definition.as_type())
    }

    /// Returns the definitions of directives in the order of the document.
    pub fn directives(&self) -> impl Iterator<Item = DirectiveDefinition<'a>> {
        self.ast.definitions().filter_map(|definition| definition.as_directive())
    }

    /// Returns the first type of that name.
    pub fn get(&self, name: &str) -> Option<TypeDefinition<'a>> {
        self.types.get(name).copied()
    }

    /// Returns the kind of the type called `name`; built-in scalars have one too.
    pub fn kind(&self, name: &str) -> Option<TypeKind> {
        self.get(name).map(kind).or_else(|| BUILT_IN.contains(&name).then_some(TypeKind::Scalar))
    }

    /// Returns the type name that is most similar to `name`.
    pub fn nearest_type(&self, name: &str) -> Option<&'a str> {
        nearest(name, self.types.keys().copied().chain(BUILT_IN))
    }

    /// Returns every group of arguments and input fields.
    pub fn input_groups(&self) -> Vec<Group<'a>> {
        let mut groups = vec![];
        for definition in self.definitions() {
            match definition {
                Definition::Type(TypeDefinition::InputObject(input)) => groups.push(Group {
                    owner: input.name().to_owned(),
                    inputs: input.fields().collect(),
                    argument: false,
                }),
                Definition::Type(ty) => groups.extend(fields(ty).into_iter().map(|field| Group {
                    owner: format!("{}.{}", ty.name(), field.name()),
                    inputs: field.arguments().collect(),
                    argument: true,
                })),
                Definition::Directive(directive) => groups.push(Group {
                    owner: format!("@{}", directive.name()),
                    inputs: directive.arguments().collect(),
                    argument: true,
                }),
                _ => {}
            }
        }
        groups
    }

    /// Returns every argument and input field.
    pub fn inputs(&self) -> impl Iterator<Item = LocatedInput<'a>> {
        self.input_groups().into_iter().flat_map(|group| {
            let Group { owner, inputs, argument, .. } = group;
            inputs.into_iter().map(move |input| {
                let name = input.name();
                let path = if argument { format!("{owner}({name}:)") } else { format!("{owner}.{name}") };
                LocatedInput { input, path, argument }
            })
        })
    }

    /// Returns the interfaces in the `implements` list of a type, with their spans.
    pub fn implements(&self, ty: TypeDefinition<'a>) -> Vec<(&'a str, Span)> {
        ast::implements(ty, self.source)
    }
}

/// Returns the kind of a definition.
pub fn kind(ty: TypeDefinition<'_>) -> TypeKind {
    match ty {
        TypeDefinition::Scalar(_) => TypeKind::Scalar,
        TypeDefinition::Object(_) => TypeKind::Object,
        TypeDefinition::Interface(_) => TypeKind::Interface,
        TypeDefinition::Union(_) => TypeKind::Union,
        TypeDefinition::Enum(_) => TypeKind::Enum,
        TypeDefinition::InputObject(_) => TypeKind::Input,
    }
}

/// Returns the directives on each definition, with the name that the specification gives its location.
pub(super) fn used_directives<'a>(document: &Document<'a>) -> Vec<(Vec<Directive<'a>>, &'static str)> {
    let mut used: Vec<(Vec<Directive<'a>>, &'static str)> = vec![];
    for definition in document.definitions() {
        match definition {
            Definition::Schema(schema) => used.push((schema.directives().collect(), "SCHEMA")),
            Definition::Type(ty) => {
                let location = match kind(ty) {
                    TypeKind::Scalar => "SCALAR",
                    TypeKind::Object => "OBJECT",
                    TypeKind::Interface => "INTERFACE",
                    TypeKind::Union => "UNION",
                    TypeKind::Enum => "ENUM",
                    TypeKind::Input => "INPUT_OBJECT",
                };
                used.push((ty.directives().collect(), location));
                used.extend(fields(ty).into_iter().map(|field| (field.directives().collect(), "FIELD_DEFINITION")));
                if let TypeDefinition::Enum(t) = ty {
                    used.extend(t.values().map(|value| (value.directives().collect(), "ENUM_VALUE")));
                }
            }
            _ => {}
        }
    }
    used.extend(document.inputs().map(|located| {
        let location = if located.argument { "ARGUMENT_DEFINITION" } else { "INPUT_FIELD_DEFINITION" };
        (located.input.directives().collect(), location)
    }));
    used
}

/// Reports every name that occurs a second time.
pub(super) fn duplicates<'n>(
    names: impl IntoIterator<Item = (&'n str, Span)>,
    message: impl Fn(&str) -> String,
    found: &mut Vec<Diagnostic>,
) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for (name, span) in names {
        if let Some(first) = seen.get(name) {
            found.push(Diagnostic::new(span, message(name), "again here").related(*first, "first here"));
        } else {
            seen.insert(name, span);
        }
    }
}
