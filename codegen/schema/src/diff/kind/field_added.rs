//! A field was added to an object type or an interface.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "field-added",
    level: Level::Safe,
    summary: "A field was added to an object type or an interface.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &["FIELD_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.field()?.added()?;
    Some(format!("field `{}` was added", spot.coordinate))
}
