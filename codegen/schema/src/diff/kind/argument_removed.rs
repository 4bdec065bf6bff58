//! An argument was removed.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "argument-removed",
    level: Level::Breaking,
    summary: "An argument was removed.",
    reason: "A request that gives it is refused.",
    graphql_js: Some("ARG_REMOVED"),
    inspector: &["FIELD_ARGUMENT_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.input(Slot::Argument)?.removed()?;
    Some(format!("argument `{}` was removed", spot.coordinate))
}
