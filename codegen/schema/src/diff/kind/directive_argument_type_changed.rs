//! The type of a directive argument changed, so that a value that was right is refused.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-argument-type-changed",
    level: Level::Breaking,
    summary: "The type of a directive argument changed, so that a value that was right is refused.",
    reason: "A request that sends such a value, or a variable of the old type, is refused.",
    graphql_js: None,
    inspector: &["DIRECTIVE_ARGUMENT_TYPE_CHANGED"],
    note: Some("graphql-js 16 does not look at it; version 17 calls it `ARG_CHANGED_KIND`, which is breaking."),
    aspect: Aspect::Type,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.narrowed(Slot::DirectiveArgument)?;
    Some(format!("the type of directive argument `{}` was `{}` and is `{}`", spot.coordinate, old.ty, new.ty))
}
