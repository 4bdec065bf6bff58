//! A directive of the schema's own was taken from something.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-use-removed",
    level: Level::Dangerous,
    summary: "A directive of the schema's own was taken from something.",
    reason: "What the directive said may have been what a client relied on.",
    graphql_js: None,
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
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Use(both) = spot.seen else { return None };
    Some(format!("`{}` no longer carries `@{}`", spot.coordinate, both.removed()?.name))
}
