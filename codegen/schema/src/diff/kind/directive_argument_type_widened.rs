//! An argument of a directive also takes null, or a list that holds null.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-argument-type-widened",
    level: Level::Safe,
    summary: "An argument of a directive also takes null, or a list that holds null.",
    reason: "Every value that was right still is.",
    graphql_js: None,
    inspector: &["DIRECTIVE_ARGUMENT_TYPE_CHANGED"],
    note: None,
    aspect: Aspect::Type,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.widened(Slot::DirectiveArgument).filter(|(old, new)| old.ty != new.ty)?;
    Some(format!("the type of directive argument `{}` was `{}` and is `{}`", spot.coordinate, old.ty, new.ty))
}
