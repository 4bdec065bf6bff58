//! A field of an input was removed.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-removed",
    level: Level::Breaking,
    summary: "A field of an input was removed.",
    reason: "A request that gives it is refused.",
    graphql_js: Some("FIELD_REMOVED"),
    inspector: &["INPUT_FIELD_REMOVED"],
    note: Some("graphql-js has one name for the fields of inputs and of objects."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.input(Slot::InputField)?.removed()?;
    Some(format!("input field `{}` was removed", spot.coordinate))
}
