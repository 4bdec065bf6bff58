//! The description of an input field was changed.

use crate::diff::compare::{Slot, Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-description-changed",
    level: Level::Safe,
    summary: "The description of an input field was changed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["INPUT_FIELD_DESCRIPTION_CHANGED"],
    note: None,
    aspect: Aspect::Description,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.input(Slot::InputField)?.kept()?;
    let change = told(old.description.as_deref(), new.description.as_deref())?;
    (change == Told::Changed).then(|| format!("the description of `{}` changed", spot.coordinate))
}
