//! The type of an input field changed, so that a value that was right is refused.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-type-changed",
    level: Level::Breaking,
    summary: "The type of an input field changed, so that a value that was right is refused.",
    reason: "A request that sends such a value, or a variable of the old type, is refused.",
    graphql_js: Some("FIELD_CHANGED_KIND"),
    inspector: &["INPUT_FIELD_TYPE_CHANGED"],
    note: Some("graphql-js has one name for the fields of inputs and of objects."),
    aspect: Aspect::Type,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.narrowed(Slot::InputField)?;
    Some(format!("the type of input field `{}` was `{}` and is `{}`", spot.coordinate, old.ty, new.ty))
}
