//! Rules for the types that a definition names: each is known and of a kind that is allowed there.

use dated_graphql_syntax::TypeKind::{self, Enum, Input, Interface, Object, Scalar, Union};
use dated_graphql_syntax::{Name, OperationKind};

use super::document::{Document, duplicates};
use crate::diagnostic::{Diagnostic, Span};

/// Every type that is named is defined in the document (GraphQL specification, section 3.3).
pub(super) fn known_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let mut named: Vec<&Name<'_>> = vec![];
    named.extend(document.schemas.iter().flat_map(|schema| &schema.roots).map(|root| &root.ty));
    for ty in document.types {
        named.extend(ty.implements.iter().chain(&ty.members));
        named.extend(ty.fields.iter().map(|field| &field.ty.name));
    }
    named.extend(document.inputs().map(|located| &located.input.ty.name));
    for name in named.into_iter().filter(|name| document.kind(name.text).is_none()) {
        let diagnostic = Diagnostic::new(name.span, format!("there is no type `{}`", name.text), "not in this file");
        found.push(diagnostic.did_you_mean(document.nearest_type(name.text)));
    }
}

/// The kinds a field can return.
const OUTPUT: &[TypeKind] = &[Scalar, Object, Interface, Union, Enum];
/// The kinds a caller can send.
const INPUT: &[TypeKind] = &[Scalar, Enum, Input];

/// A type is named only where its kind is allowed: outputs in fields, inputs in arguments, objects in unions and as
/// roots, interfaces after `implements` (GraphQL specification, sections 3.4.1, 3.6, 3.8, 3.3.1).
pub(super) fn position(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let mut check =
        |name: &Name<'_>, allowed: &[TypeKind], what: &str| report_kind(document, name, allowed, what, found);
    for root in document.schemas.iter().flat_map(|schema| &schema.roots) {
        check(&root.ty, &[Object], "a root");
    }
    for ty in document.types {
        ty.implements.iter().for_each(|name| check(name, &[Interface], "implemented"));
        ty.fields.iter().for_each(|field| check(&field.ty.name, OUTPUT, "the type of a field"));
        ty.members.iter().for_each(|name| check(name, &[Object], "a member of a union"));
    }
    for located in document.inputs() {
        let what = if located.argument { "the type of an argument" } else { "the type of a field of an input" };
        check(&located.input.ty.name, INPUT, what);
    }
}

/// Reports the type called `name` where its kind is none of `allowed`. `known_type` reports an unknown type.
fn report_kind(
    document: &Document<'_>,
    Name { text: name, span, .. }: &Name<'_>,
    allowed: &[TypeKind],
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Some(kind) = document.kind(name).filter(|kind| !allowed.contains(kind)) else { return };
    // A common mistake: `Person` where `PersonInput` was meant, or the other way round.
    let twin = if kind == Input { name.trim_end_matches("Input").to_owned() } else { format!("{name}Input") };
    let twin = document.kind(&twin).filter(|kind| allowed.contains(kind)).map(|_| &*twin);
    let help = match twin {
        Some(twin) => Some(format!("did you mean `{twin}`?")),
        None if allowed == INPUT => Some("define an input with the fields that are sent".to_owned()),
        None if kind == Input => Some("define a type with the fields that are returned".to_owned()),
        None => None,
    };
    let diagnostic =
        Diagnostic::new(*span, format!("`{name}` cannot be {what}"), format!("this is {}", kind.kind_name()));
    found.push(diagnostic.help(help));
}

/// There is a query root, and the roots are different types (GraphQL specification, section 3.3.1).
pub(super) fn root(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let Some(schema) = document.schemas.first() else {
        if document.get("Query").is_none() {
            let end = document.source.trim_end().len();
            let diagnostic =
                Diagnostic::new(Span { start: end, end }, "there is no type `Query`", "add `type Query { … }`");
            let near = document.nearest_type("Query").map(|near| format!("is `{near}` meant to be it?"));
            found.push(diagnostic.help(near));
        }
        return;
    };
    if !schema.roots.iter().any(|root| root.kind == OperationKind::Query) {
        found.push(Diagnostic::new(schema.span, "the schema has no query root", "add `query: Query`"));
    }
    let operations = schema.roots.iter().map(|root| &root.operation);
    duplicates(operations, |name| format!("`{name}` has two roots"), found);
    let types = schema.roots.iter().map(|root| &root.ty);
    duplicates(types, |name| format!("`{name}` is the root of two operations"), found);
}
