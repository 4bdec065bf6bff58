//! A parsed document for the rules: types by name, and lists of definitions and uses.

use std::collections::BTreeMap;

use dated_graphql_syntax::{
    Directive, DirectiveDefinition, InputValueDefinition, Name, SchemaDefinition, TypeDefinition, TypeKind,
    TypeSystemDocument,
};

use crate::diagnostic::{Diagnostic, Span};
use crate::nearest::nearest;

/// The scalars that every schema has (GraphQL specification, section 3.5).
pub const BUILT_IN: [&str; 5] = ["ID", "String", "Int", "Float", "Boolean"];

/// A document without extensions, and its types by name.
pub struct Document<'a> {
    /// The text that the spans refer to.
    pub source: &'a str,
    /// The schema definitions in the order of the document, including duplicates.
    pub schemas: &'a [SchemaDefinition<'a>],
    /// The types in the order of the document, including duplicates.
    pub types: &'a [TypeDefinition<'a>],
    /// The definitions of directives in the order of the document, including duplicates.
    pub directives: &'a [DirectiveDefinition<'a>],
    by_name: BTreeMap<&'a str, &'a TypeDefinition<'a>>,
}

/// An argument or a field of an input.
pub struct LocatedInput<'a> {
    pub input: &'a InputValueDefinition<'a>,
    /// `Query.book(id:)`, `BookCreateInput.genreId`
    pub path: String,
    pub argument: bool,
}

/// The arguments of a field or directive, or the fields of an input.
pub struct Group<'a> {
    /// `BookInput`, `Query.book`, `@auth`
    pub owner: String,
    pub inputs: &'a [InputValueDefinition<'a>],
    pub argument: bool,
}

impl<'a> Document<'a> {
    /// Indexes the types of a syntax tree of `source`.
    pub fn new(tree: &'a TypeSystemDocument<'a>, source: &'a str) -> Self {
        let mut by_name = BTreeMap::new();
        for ty in &tree.types {
            by_name.entry(ty.name.text).or_insert(ty);
        }
        Self { source, schemas: &tree.schemas, types: &tree.types, directives: &tree.directives, by_name }
    }

    /// Returns the first type of that name.
    pub fn get(&self, name: &str) -> Option<&'a TypeDefinition<'a>> {
        self.by_name.get(name).copied()
    }

    /// Returns the kind of the type called `name`; built-in scalars have one too.
    pub fn kind(&self, name: &str) -> Option<TypeKind> {
        self.get(name).map(|ty| ty.kind).or_else(|| BUILT_IN.contains(&name).then_some(TypeKind::Scalar))
    }

    /// Returns the type name that is most similar to `name`.
    pub fn nearest_type(&self, name: &str) -> Option<&'a str> {
        nearest(name, self.by_name.keys().copied().chain(BUILT_IN))
    }

    /// Returns every group of arguments and input fields.
    pub fn input_groups(&self) -> impl Iterator<Item = Group<'a>> {
        let of_types = self.types.iter().flat_map(|ty| {
            let fields = ty.fields.iter().map(|field| Group {
                owner: format!("{}.{}", ty.name.text, field.name.text),
                inputs: &field.arguments,
                argument: true,
            });
            fields.chain((ty.kind == TypeKind::Input).then(|| Group {
                owner: ty.name.text.to_owned(),
                inputs: &ty.inputs,
                argument: false,
            }))
        });
        of_types.chain(self.directives.iter().map(|directive| Group {
            owner: format!("@{}", directive.name.text),
            inputs: &directive.arguments,
            argument: true,
        }))
    }

    /// Returns every argument and input field.
    pub fn inputs(&self) -> impl Iterator<Item = LocatedInput<'a>> {
        self.input_groups().flat_map(|Group { owner, inputs, argument }| {
            inputs.iter().map(move |input| {
                let name = input.name.text;
                let path = if argument { format!("{owner}({name}:)") } else { format!("{owner}.{name}") };
                LocatedInput { input, path, argument }
            })
        })
    }
}

/// Returns the directives on each definition, with the name that the specification gives its location.
pub(super) fn used_directives<'a>(document: &Document<'a>) -> Vec<(&'a [Directive<'a>], &'static str)> {
    let mut used: Vec<(&[Directive<'_>], _)> =
        document.schemas.iter().map(|schema| (&*schema.directives, "SCHEMA")).collect();
    for ty in document.types {
        let location = match ty.kind {
            TypeKind::Scalar => "SCALAR",
            TypeKind::Object => "OBJECT",
            TypeKind::Interface => "INTERFACE",
            TypeKind::Union => "UNION",
            TypeKind::Enum => "ENUM",
            TypeKind::Input => "INPUT_OBJECT",
        };
        used.push((&ty.directives, location));
        used.extend(ty.fields.iter().map(|field| (&*field.directives, "FIELD_DEFINITION")));
        used.extend(ty.values.iter().map(|value| (&*value.directives, "ENUM_VALUE")));
    }
    used.extend(document.inputs().map(|located| {
        let location = if located.argument { "ARGUMENT_DEFINITION" } else { "INPUT_FIELD_DEFINITION" };
        (&*located.input.directives, location)
    }));
    used
}

/// Reports every name that occurs a second time.
pub(super) fn duplicates<'n>(
    names: impl IntoIterator<Item = &'n Name<'n>>,
    message: impl Fn(&str) -> String,
    found: &mut Vec<Diagnostic>,
) {
    duplicate_spans(names.into_iter().map(|name| (name.text, name.span)), message, found);
}

/// Reports every name that occurs a second time, at the span given with it.
pub(super) fn duplicate_spans<'n>(
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
