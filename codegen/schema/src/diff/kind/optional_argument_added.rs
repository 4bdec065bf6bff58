//! An argument that may be left out was added.

use crate::diff::compare::{Slot, Spot, is_required};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "optional-argument-added",
    level: Level::Dangerous,
    summary: "An argument that may be left out was added.",
    reason: "What a request without it means may have changed.",
    graphql_js: Some("OPTIONAL_ARG_ADDED"),
    inspector: &["FIELD_ARGUMENT_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let new = spot.input(Slot::Argument)?.added()?;
    (!is_required(new)).then(|| format!("optional argument `{}` was added", spot.coordinate))
}
