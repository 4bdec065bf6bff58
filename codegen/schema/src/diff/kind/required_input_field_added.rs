//! A field of an input that must be given was added.

use crate::diff::compare::{Slot, Spot, is_required};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "required-input-field-added",
    level: Level::Breaking,
    summary: "A field of an input that must be given was added.",
    reason: "A request that was right lacks it and is refused.",
    graphql_js: Some("REQUIRED_INPUT_FIELD_ADDED"),
    inspector: &["INPUT_FIELD_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let new = spot.input(Slot::InputField)?.added()?;
    is_required(new).then(|| format!("required input field `{}` was added", spot.coordinate))
}
