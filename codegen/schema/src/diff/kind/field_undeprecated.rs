//! A field is no longer deprecated.

use crate::diff::compare::{Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "field-undeprecated",
    level: Level::Safe,
    summary: "A field is no longer deprecated.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["FIELD_DEPRECATION_REMOVED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.field()?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Removed).then(|| format!("`{}` is no longer deprecated", spot.coordinate))
}
