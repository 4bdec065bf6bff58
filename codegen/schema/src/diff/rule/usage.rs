//! Changes of the directives on an element, except those of the specification.

use super::definition::{DANGEROUS, Rule};
use crate::diff::element::{Element, Pairing};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "directive-use-added",
        summary: "A directive that the schema defines was added to an element.",
        reason: "The directive may change how a client treats the element.",
        inspector: &[
            "DIRECTIVE_USAGE_UNION_MEMBER_ADDED",
            "DIRECTIVE_USAGE_ENUM_ADDED",
            "DIRECTIVE_USAGE_ENUM_VALUE_ADDED",
            "DIRECTIVE_USAGE_INPUT_OBJECT_ADDED",
            "DIRECTIVE_USAGE_SCALAR_ADDED",
            "DIRECTIVE_USAGE_OBJECT_ADDED",
            "DIRECTIVE_USAGE_INTERFACE_ADDED",
            "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_ADDED",
            "DIRECTIVE_USAGE_SCHEMA_ADDED",
            "DIRECTIVE_USAGE_FIELD_DEFINITION_ADDED",
            "DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_ADDED",
        ],
        note: Some("graphql-inspector has a kind for each location; they all have the same level."),
        describe: |compared| {
            let Element::Use(Pairing::Added(used)) = compared.element else { return None };
            Some(format!("`@{}` was added to `{}`", used.name, compared.coordinate))
        },
        ..DANGEROUS
    },
    Rule {
        id: "directive-use-removed",
        summary: "A directive that the schema defines was removed from an element.",
        reason: "A client may have relied on the directive.",
        inspector: &[
            "DIRECTIVE_USAGE_UNION_MEMBER_REMOVED",
            "DIRECTIVE_USAGE_ENUM_REMOVED",
            "DIRECTIVE_USAGE_ENUM_VALUE_REMOVED",
            "DIRECTIVE_USAGE_INPUT_OBJECT_REMOVED",
            "DIRECTIVE_USAGE_SCALAR_REMOVED",
            "DIRECTIVE_USAGE_OBJECT_REMOVED",
            "DIRECTIVE_USAGE_INTERFACE_REMOVED",
            "DIRECTIVE_USAGE_ARGUMENT_DEFINITION_REMOVED",
            "DIRECTIVE_USAGE_SCHEMA_REMOVED",
            "DIRECTIVE_USAGE_FIELD_DEFINITION_REMOVED",
            "DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_REMOVED",
        ],
        note: Some("graphql-inspector has a kind for each location; they all have the same level."),
        describe: |compared| {
            let Element::Use(Pairing::Removed(used)) = compared.element else { return None };
            Some(format!("`@{}` was removed from `{}`", used.name, compared.coordinate))
        },
        ..DANGEROUS
    },
    Rule {
        id: "directive-use-changed",
        summary: "The arguments of a directive on an element changed.",
        reason: "The directive may have another meaning for a client.",
        inspector: &["DIRECTIVE_USAGE_ARGUMENT_ADDED", "DIRECTIVE_USAGE_ARGUMENT_REMOVED"],
        note: Some("graphql-inspector has a kind for each location; they all have the same level."),
        describe: |compared| {
            let Element::Use(Pairing::Kept(old, new)) = compared.element else { return None };
            let changed = old.arguments != new.arguments;
            changed.then(|| format!("the arguments of `@{}` on `{}` changed", new.name, compared.coordinate))
        },
        ..DANGEROUS
    },
];
