//! Rules for the types that a definition names: each is known and of a kind that is allowed there.

use cynic_parser::common::OperationType;
use cynic_parser::type_system::{Definition, TypeDefinition};

use super::document::TypeKind::{self, Enum, Input, Interface, Object, Scalar, Union};
use super::document::{Document, duplicates, fields, name_span};
use crate::diagnostic::{Diagnostic, Span};

/// Every type that is named is defined in the document (GraphQL specification, section 3.3).
pub(super) fn known_type(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let mut named: Vec<(&str, Span)> = vec![];
    for definition in document.definitions() {
        match definition {
            Definition::Schema(schema) => {
                named.extend(schema.root_operations().map(|root| (root.named_type(), root.named_type_span().into())));
            }
            Definition::Type(ty) => {
                named.extend(document.implements(ty));
                named.extend(fields(ty).into_iter().map(|field| (field.ty().name(), field.ty().name_span().into())));
                if let TypeDefinition::Union(union) = ty {
                    named.extend(union.members().map(|member| (member.name(), member.span().into())));
                }
            }
            _ => {}
        }
    }
    named.extend(document.inputs().map(|located| (located.input.ty().name(), located.input.ty().name_span().into())));
    for (name, span) in named.into_iter().filter(|(name, _)| document.kind(name).is_none()) {
        let diagnostic = Diagnostic::new(span, format!("there is no type `{name}`"), "not in this file");
        found.push(diagnostic.did_you_mean(document.nearest_type(name)));
    }
}

/// The kinds a field can return.
const OUTPUT: &[TypeKind] = &[Scalar, Object, Interface, Union, Enum];
/// The kinds a caller can send.
const INPUT: &[TypeKind] = &[Scalar, Enum, Input];

/// A type is named only where its kind is allowed: outputs in fields, inputs in arguments, objects in unions and as
/// roots, interfaces after `implements` (GraphQL specification, sections 3.4.1, 3.6, 3.8, 3.3.1).
pub(super) fn position(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for definition in document.definitions() {
        match definition {
            Definition::Schema(schema) => {
                for root in schema.root_operations() {
                    let span = root.named_type_span().into();
                    report_kind(document, root.named_type(), span, &[Object], "a root", found);
                }
            }
            Definition::Type(ty) => {
                for (name, span) in document.implements(ty) {
                    report_kind(document, name, span, &[Interface], "implemented", found);
                }
                for field in fields(ty) {
                    report_kind(
                        document,
                        field.ty().name(),
                        field.ty().name_span().into(),
                        OUTPUT,
                        "the type of a field",
                        found,
                    );
                }
                if let TypeDefinition::Union(union) = ty {
                    for member in union.members() {
                        report_kind(
                            document,
                            member.name(),
                            member.span().into(),
                            &[Object],
                            "a member of a union",
                            found,
                        );
                    }
                }
            }
            _ => {}
        }
    }
    for input in document.inputs() {
        let (ty, what) = (input.input.ty(), if input.argument { "an argument" } else { "a field of an input" });
        report_kind(document, ty.name(), ty.name_span().into(), INPUT, &format!("the type of {what}"), found);
    }
}

/// Reports the type called `name` where its kind is none of `allowed`. `known_type` reports an unknown type.
fn report_kind(
    document: &Document<'_>,
    name: &str,
    span: Span,
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
        Diagnostic::new(span, format!("`{name}` cannot be {what}"), format!("this is {}", kind.kind_name()));
    found.push(diagnostic.help(help));
}

/// There is a query root, and the roots are different types (GraphQL specification, section 3.3.1).
pub(super) fn root(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let schema = document.definitions().find_map(|definition| definition.as_schema());
    let Some(schema) = schema else {
        if document.get("Query").is_none() {
            let end = document.source.trim_end().len();
            let diagnostic =
                Diagnostic::new(Span { start: end, end }, "there is no type `Query`", "add `type Query { … }`");
            let near = document.nearest_type("Query").map(|near| format!("is `{near}` meant to be it?"));
            found.push(diagnostic.help(near));
        }
        return;
    };
    let roots: Vec<_> = schema.root_operations().collect();
    if !roots.iter().any(|root| root.operation_type() == OperationType::Query) {
        found.push(Diagnostic::new(schema.span(), "the schema has no query root", "add `query: Query`"));
    }
    let operations = roots.iter().map(|root| (root.operation_type().as_str(), root.operation_type_span().into()));
    duplicates(operations, |name| format!("`{name}` has two roots"), found);
    let types = roots.iter().map(|root| (root.named_type(), root.named_type_span().into()));
    duplicates(types, |name| format!("`{name}` is the root of two operations"), found);
}

/// There is no subscription root, which the engine does not serve.
pub(super) fn subscription(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let report = |span| {
        Diagnostic::new(span, "subscriptions are not served", "a subscription root")
            .help("serve queries and mutations from this schema: remove the root".to_owned())
    };
    match document.definitions().find_map(|definition| definition.as_schema()) {
        Some(schema) => {
            let roots = schema.root_operations();
            let roots = roots.filter(|root| root.operation_type() == OperationType::Subscription);
            found.extend(roots.map(|root| report(Span::from(root.span()))));
        }
        None => found.extend(document.get("Subscription").map(|ty| report(name_span(ty)))),
    }
}
