//! There is a query root, the roots are different types, and there is no subscription root, which the service does not
//! serve (specification, section 3.3.1).

use cynic_parser::common::OperationType;
use cynic_parser::type_system::Definition;

use super::document::{Document, duplicates, name_span};
use crate::diagnostic::{Diagnostic, Span};

pub(super) fn check(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    let schema = document.definitions().find_map(|definition| definition.as_schema());
    let Some(schema) = schema else {
        if document.get("Query").is_none() {
            let end = document.source.trim_end().len();
            let diagnostic =
                Diagnostic::new(Span { start: end, end }, "there is no type `Query`", "add `type Query { … }`");
            let near = document.nearest_type("Query").map(|near| format!("is `{near}` meant to be it?"));
            found.push(diagnostic.help(near));
        }
        if let Some(ty) = document.get("Subscription") {
            found.push(subscription(name_span(ty)));
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
    let subscriptions = roots.iter().filter(|root| root.operation_type() == OperationType::Subscription);
    found.extend(subscriptions.map(|root| subscription(root.span().into())));
}

/// Says what an SDL document of ours does not extend.
pub(super) fn check_extensions(document: &Document<'_>, found: &mut Vec<Diagnostic>) {
    for definition in document.definitions() {
        if matches!(definition, Definition::TypeExtension(_) | Definition::SchemaExtension(_)) {
            let help = "write it into the definition itself: a version is one whole document".to_owned();
            found.push(Diagnostic::new(definition.span(), "extensions are not used here", "an extension").help(help));
        }
    }
}

fn subscription(span: Span) -> Diagnostic {
    Diagnostic::new(span, "subscriptions are not served", "a subscription root").help("remove it".to_owned())
}
