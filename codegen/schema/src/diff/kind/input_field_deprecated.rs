//! A field of an input was deprecated.

use crate::diff::compare::{Slot, Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-deprecated",
    level: Level::Safe,
    summary: "A field of an input was deprecated.",
    reason: "Everything still works; people and tools are told.",
    graphql_js: None,
    inspector: &["DIRECTIVE_USAGE_INPUT_FIELD_DEFINITION_ADDED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.input(Slot::InputField)?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Added).then(|| format!("`{}` is deprecated from now on", spot.coordinate))
}
