//! The default of an argument was changed.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "argument-default-changed",
    level: Level::Dangerous,
    summary: "The default of an argument was changed.",
    reason: "A request that leaves it out means something else.",
    graphql_js: Some("ARG_DEFAULT_VALUE_CHANGE"),
    inspector: &["FIELD_ARGUMENT_DEFAULT_CHANGED"],
    note: None,
    aspect: Aspect::Default,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (Some(old), Some(new)) = spot.default(Slot::Argument)? else { return None };
    Some(format!("the default was `{}` and is `{}` of argument `{}`", old, new, spot.coordinate))
}
