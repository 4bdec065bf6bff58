//! An argument was deprecated.

use crate::diff::compare::{Slot, Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "argument-deprecated",
    level: Level::Safe,
    summary: "An argument was deprecated.",
    reason: "Everything still works; people and tools are told.",
    graphql_js: None,
    inspector: &["DIRECTIVE_USAGE_ARGUMENT_DEFINITION_ADDED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.input(Slot::Argument)?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Added).then(|| format!("`{}` is deprecated from now on", spot.coordinate))
}
