//! A field of an input that may be left out was added.

use crate::diff::compare::{Slot, Spot, is_required};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "optional-input-field-added",
    level: Level::Dangerous,
    summary: "A field of an input that may be left out was added.",
    reason: "What a request without it means may have changed.",
    graphql_js: Some("OPTIONAL_INPUT_FIELD_ADDED"),
    inspector: &["INPUT_FIELD_ADDED"],
    note: Some("graphql-inspector calls it safe where there is no default; ours is the level of graphql-js."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let new = spot.input(Slot::InputField)?.added()?;
    (!is_required(new)).then(|| format!("optional input field `{}` was added", spot.coordinate))
}
