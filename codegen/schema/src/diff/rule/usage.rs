//! Changes of the directives on an element, except those of the specification.

use super::definition::{DANGEROUS, Rule};
use crate::diff::element::{Element, Pairing};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "directive-use-added",
        summary: "A directive of the schema's own was put on something.",
        reason: "What the directive says may change how a client treats the place.",
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
        note: Some("graphql-inspector has a kind for each sort of place; the level is the same in all of them."),
        describe: |compared| {
            let Element::Use(Pairing::Added(used)) = compared.element else { return None };
            Some(format!("`{}` carries `@{}` from now on", compared.coordinate, used.name))
        },
        ..DANGEROUS
    },
    Rule {
        id: "directive-use-removed",
        summary: "A directive of the schema's own was taken from something.",
        reason: "What the directive said may have been what a client relied on.",
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
        note: Some("graphql-inspector has a kind for each sort of place; the level is the same in all of them."),
        describe: |compared| {
            let Element::Use(Pairing::Removed(used)) = compared.element else { return None };
            Some(format!("`{}` no longer carries `@{}`", compared.coordinate, used.name))
        },
        ..DANGEROUS
    },
    Rule {
        id: "directive-use-changed",
        summary: "The arguments of a directive on something changed.",
        reason: "What the directive says is something else.",
        inspector: &["DIRECTIVE_USAGE_ARGUMENT_ADDED", "DIRECTIVE_USAGE_ARGUMENT_REMOVED"],
        note: Some("graphql-inspector has a kind for each sort of place; the level is the same in all of them."),
        describe: |compared| {
            let Element::Use(Pairing::Kept(old, new)) = compared.element else { return None };
            let changed = old.arguments != new.arguments;
            changed.then(|| format!("the arguments of `@{}` on `{}` changed", new.name, compared.coordinate))
        },
        ..DANGEROUS
    },
];
