//! The arguments of a directive on something changed.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-use-changed",
    level: Level::Dangerous,
    summary: "The arguments of a directive on something changed.",
    reason: "What the directive says is something else.",
    graphql_js: None,
    inspector: &["DIRECTIVE_USAGE_ARGUMENT_ADDED", "DIRECTIVE_USAGE_ARGUMENT_REMOVED"],
    note: Some("graphql-inspector has a kind for each sort of place; the level is the same in all of them."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Use(both) = spot.seen else { return None };
    let (old, new) = both.kept().filter(|(old, new)| old.arguments != new.arguments)?;
    debug_assert_eq!(old.name, new.name, "one is compared with the other by its name");
    Some(format!("the arguments of `@{}` on `{}` changed", new.name, spot.coordinate))
}
