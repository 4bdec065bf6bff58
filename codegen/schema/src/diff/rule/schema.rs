//! Changes of the schema itself: its root types and its description.

use super::definition::{BREAKING, DESCRIPTION, Rule, SAFE};
use crate::diff::element::{Compared, Element, Pairing};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "query-root-changed",
        summary: "The query root is another type.",
        reason: "`__typename` of the root and fragments on it change, and its fields are those of another type.",
        inspector: &["SCHEMA_QUERY_TYPE_CHANGED"],
        note: Some("graphql-js does not look at roots; graphql-inspector does."),
        describe: |compared| root_changed(compared, "query"),
        ..BREAKING
    },
    Rule {
        id: "mutation-root-changed",
        summary: "The mutation root is another type.",
        reason: "`__typename` of the root and fragments on it change, and its fields are those of another type.",
        inspector: &["SCHEMA_MUTATION_TYPE_CHANGED"],
        note: Some("graphql-js does not look at roots; graphql-inspector does."),
        describe: |compared| root_changed(compared, "mutation"),
        ..BREAKING
    },
    Rule {
        id: "mutation-root-removed",
        summary: "The schema has no mutations any more.",
        reason: "Every mutation is refused.",
        inspector: &["SCHEMA_MUTATION_TYPE_CHANGED"],
        note: Some("graphql-js does not look at roots; graphql-inspector does."),
        describe: |compared| {
            let Element::Root("mutation", Pairing::Removed(old)) = compared.element else { return None };
            Some(format!("the mutation root `{old}` was removed"))
        },
        ..BREAKING
    },
    Rule {
        id: "mutation-root-added",
        summary: "The schema has mutations from now on.",
        inspector: &["SCHEMA_MUTATION_TYPE_CHANGED"],
        describe: |compared| {
            let Element::Root("mutation", Pairing::Added(new)) = compared.element else { return None };
            Some(format!("the mutation root `{new}` was added"))
        },
        ..SAFE
    },
    Rule {
        id: "subscription-root-changed",
        summary: "The subscription root is another type.",
        reason: "`__typename` of the root and fragments on it change, and its fields are those of another type.",
        inspector: &["SCHEMA_SUBSCRIPTION_TYPE_CHANGED"],
        note: Some("graphql-js does not look at roots; graphql-inspector does."),
        describe: |compared| root_changed(compared, "subscription"),
        ..BREAKING
    },
    Rule {
        id: "subscription-root-removed",
        summary: "The schema has no subscriptions any more.",
        reason: "Every subscription is refused.",
        inspector: &["SCHEMA_SUBSCRIPTION_TYPE_CHANGED"],
        note: Some("graphql-js does not look at roots; graphql-inspector does."),
        describe: |compared| {
            let Element::Root("subscription", Pairing::Removed(old)) = compared.element else { return None };
            Some(format!("the subscription root `{old}` was removed"))
        },
        ..BREAKING
    },
    Rule {
        id: "subscription-root-added",
        summary: "The schema has subscriptions from now on.",
        inspector: &["SCHEMA_SUBSCRIPTION_TYPE_CHANGED"],
        describe: |compared| {
            let Element::Root("subscription", Pairing::Added(new)) = compared.element else { return None };
            Some(format!("the subscription root `{new}` was added"))
        },
        ..SAFE
    },
    Rule {
        id: "schema-description-changed",
        summary: "The description of the schema itself was added, removed or changed.",
        note: Some("Neither graphql-js nor graphql-inspector looks at it."),
        describe: |compared| {
            let Element::Schema(_) = compared.element else { return None };
            compared.description_change().map(|_| "the description of the schema changed".to_owned())
        },
        ..DESCRIPTION
    },
];

fn root_changed(compared: &Compared<'_>, operation: &str) -> Option<String> {
    let Element::Root(own, Pairing::Kept(old, new)) = compared.element else { return None };
    (own == operation && old != new).then(|| format!("the {operation} root was `{old}` and is `{new}`"))
}
