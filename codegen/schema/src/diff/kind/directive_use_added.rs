//! A directive of the schema's own was put on something.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-use-added",
    level: Level::Dangerous,
    summary: "A directive of the schema's own was put on something.",
    reason: "What the directive says may change how a client treats the place.",
    graphql_js: None,
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
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Use(both) = spot.seen else { return None };
    Some(format!("`{}` carries `@{}` from now on", spot.coordinate, both.added()?.name))
}
