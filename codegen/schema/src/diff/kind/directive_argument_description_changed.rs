//! The description of a directive argument was added, removed or changed.

use crate::diff::compare::{Slot, Spot, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-argument-description-changed",
    level: Level::Safe,
    summary: "The description of a directive argument was added, removed or changed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["DIRECTIVE_ARGUMENT_DESCRIPTION_CHANGED"],
    note: None,
    aspect: Aspect::Description,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.input(Slot::DirectiveArgument)?.kept()?;
    told(old.description.as_deref(), new.description.as_deref())?;
    Some(format!("the description of `{}` changed", spot.coordinate))
}
