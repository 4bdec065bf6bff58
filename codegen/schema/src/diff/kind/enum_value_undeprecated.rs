//! A value of an enum is no longer deprecated.

use crate::diff::compare::{Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "enum-value-undeprecated",
    level: Level::Safe,
    summary: "A value of an enum is no longer deprecated.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["ENUM_VALUE_DEPRECATION_REASON_REMOVED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.value()?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Removed).then(|| format!("`{}` is no longer deprecated", spot.coordinate))
}
