//! The reason for the deprecation of a field of an input changed.

use crate::diff::compare::{Slot, Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-deprecation-reason-changed",
    level: Level::Safe,
    summary: "The reason for the deprecation of a field of an input changed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["DIRECTIVE_USAGE_ARGUMENT_ADDED", "DIRECTIVE_USAGE_ARGUMENT_REMOVED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.input(Slot::InputField)?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Changed).then(|| format!("the reason for the deprecation of `{}` changed", spot.coordinate))
}
