//! The default of a directive argument was changed.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-argument-default-changed",
    level: Level::Dangerous,
    summary: "The default of a directive argument was changed.",
    reason: "A request that leaves it out means something else.",
    graphql_js: None,
    inspector: &["DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED"],
    note: Some("graphql-js 16 does not look at the defaults of directives; version 17 calls it dangerous too."),
    aspect: Aspect::Default,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (Some(old), Some(new)) = spot.default(Slot::DirectiveArgument)? else { return None };
    Some(format!("the default was `{}` and is `{}` of directive argument `{}`", old, new, spot.coordinate))
}
