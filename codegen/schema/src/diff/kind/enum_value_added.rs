//! A value was added to an enum.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "enum-value-added",
    level: Level::Dangerous,
    summary: "A value was added to an enum.",
    reason: "An answer can hold a value that a client does not know.",
    graphql_js: Some("VALUE_ADDED_TO_ENUM"),
    inspector: &["ENUM_VALUE_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.value()?.added()?;
    Some(format!("enum value `{}` was added", spot.coordinate))
}
