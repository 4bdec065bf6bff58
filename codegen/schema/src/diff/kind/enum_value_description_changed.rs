//! The description of an enum value was added, removed or changed.

use crate::diff::compare::{Spot, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "enum-value-description-changed",
    level: Level::Safe,
    summary: "The description of an enum value was added, removed or changed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["ENUM_VALUE_DESCRIPTION_CHANGED"],
    note: None,
    aspect: Aspect::Description,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.value()?.kept()?;
    told(old.description.as_deref(), new.description.as_deref())?;
    Some(format!("the description of `{}` changed", spot.coordinate))
}
