//! A scalar of the specification is not used any more.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "built-in-scalar-removed",
    level: Level::Breaking,
    summary: "A scalar of the specification is not used any more.",
    reason: "A variable of that type is refused, because introspection no longer has it.",
    graphql_js: Some("TYPE_REMOVED"),
    inspector: &[],
    note: Some(
        "graphql-js calls this the removal of a type; it has a rule of its own here, so that it can be waived apart.",
    ),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::BuiltIn(both) = spot.seen else { return None };
    Some(format!("scalar `{}` is not used any more", both.removed()?))
}
