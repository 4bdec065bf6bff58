//! Changes of an enum value.

use super::definition::{ADDED, DEPRECATED, DESCRIPTION, Level, REASON_CHANGED, REMOVED, Rule, UNDEPRECATED};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "enum-value-removed",
        summary: "A value of an enum was removed.",
        reason: "A request that sends the value is refused.",
        graphql_js: Some("VALUE_REMOVED_FROM_ENUM"),
        inspector: &["ENUM_VALUE_REMOVED"],
        ..REMOVED
    },
    Rule {
        id: "enum-value-added",
        level: Level::Dangerous,
        summary: "A value was added to an enum.",
        reason: "An answer can hold a value that a client does not know.",
        graphql_js: Some("VALUE_ADDED_TO_ENUM"),
        inspector: &["ENUM_VALUE_ADDED"],
        ..ADDED
    },
    Rule {
        id: "enum-value-description-changed",
        summary: "The description of an enum value was added, removed or changed.",
        inspector: &["ENUM_VALUE_DESCRIPTION_CHANGED"],
        ..DESCRIPTION
    },
    Rule {
        id: "enum-value-deprecated",
        summary: "A value of an enum was deprecated.",
        inspector: &["ENUM_VALUE_DEPRECATION_REASON_ADDED"],
        ..DEPRECATED
    },
    Rule {
        id: "enum-value-undeprecated",
        summary: "A value of an enum is no longer deprecated.",
        inspector: &["ENUM_VALUE_DEPRECATION_REASON_REMOVED"],
        ..UNDEPRECATED
    },
    Rule {
        id: "enum-value-deprecation-reason-changed",
        summary: "The reason for the deprecation of a value of an enum changed.",
        inspector: &[
            "ENUM_VALUE_DEPRECATION_REASON_CHANGED",
            "ENUM_VALUE_DEPRECATION_REASON_ADDED",
            "ENUM_VALUE_DEPRECATION_REASON_REMOVED",
        ],
        ..REASON_CHANGED
    },
];
