//! The type of an argument changed, so that a value that was right is refused.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "argument-type-changed",
    level: Level::Breaking,
    summary: "The type of an argument changed, so that a value that was right is refused.",
    reason: "A request that sends such a value, or a variable of the old type, is refused.",
    graphql_js: Some("ARG_CHANGED_KIND"),
    inspector: &["FIELD_ARGUMENT_TYPE_CHANGED"],
    note: None,
    aspect: Aspect::Type,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.narrowed(Slot::Argument)?;
    Some(format!("the type of argument `{}` was `{}` and is `{}`", spot.coordinate, old.ty, new.ty))
}
