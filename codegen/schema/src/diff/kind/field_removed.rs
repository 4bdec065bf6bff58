//! A field of an object type or an interface was removed.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "field-removed",
    level: Level::Breaking,
    summary: "A field of an object type or an interface was removed.",
    reason: "An operation that asks for the field is refused.",
    graphql_js: Some("FIELD_REMOVED"),
    inspector: &["FIELD_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.field()?.removed()?;
    Some(format!("field `{}` was removed", spot.coordinate))
}
