//! A field of an input also takes null, or a list that holds null.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-type-widened",
    level: Level::Safe,
    summary: "A field of an input also takes null, or a list that holds null.",
    reason: "Every value that was right still is.",
    graphql_js: None,
    inspector: &["INPUT_FIELD_TYPE_CHANGED"],
    note: None,
    aspect: Aspect::Type,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.widened(Slot::InputField).filter(|(old, new)| old.ty != new.ty)?;
    Some(format!("the type of input field `{}` was `{}` and is `{}`", spot.coordinate, old.ty, new.ty))
}
