//! The reason for the deprecation of a value of an enum changed.

use crate::diff::compare::{Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "enum-value-deprecation-reason-changed",
    level: Level::Safe,
    summary: "The reason for the deprecation of a value of an enum changed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &[
        "ENUM_VALUE_DEPRECATION_REASON_CHANGED",
        "ENUM_VALUE_DEPRECATION_REASON_ADDED",
        "ENUM_VALUE_DEPRECATION_REASON_REMOVED",
    ],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.value()?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Changed).then(|| format!("the reason for the deprecation of `{}` changed", spot.coordinate))
}
