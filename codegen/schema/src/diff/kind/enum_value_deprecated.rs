//! A value of an enum was deprecated.

use crate::diff::compare::{Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "enum-value-deprecated",
    level: Level::Safe,
    summary: "A value of an enum was deprecated.",
    reason: "Everything still works; people and tools are told.",
    graphql_js: None,
    inspector: &["ENUM_VALUE_DEPRECATION_REASON_ADDED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.value()?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Added).then(|| format!("`{}` is deprecated from now on", spot.coordinate))
}
