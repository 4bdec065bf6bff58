//! The description of an input field was added.

use crate::diff::compare::{Slot, Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-description-added",
    level: Level::Safe,
    summary: "The description of an input field was added.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["INPUT_FIELD_DESCRIPTION_ADDED"],
    note: None,
    aspect: Aspect::Description,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.input(Slot::InputField)?.kept()?;
    let change = told(old.description.as_deref(), new.description.as_deref())?;
    (change == Told::Added).then(|| format!("the description was added to `{}`", spot.coordinate))
}
