//! A value of an enum was removed.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "enum-value-removed",
    level: Level::Breaking,
    summary: "A value of an enum was removed.",
    reason: "A request that sends the value is refused.",
    graphql_js: Some("VALUE_REMOVED_FROM_ENUM"),
    inspector: &["ENUM_VALUE_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.value()?.removed()?;
    Some(format!("enum value `{}` was removed", spot.coordinate))
}
