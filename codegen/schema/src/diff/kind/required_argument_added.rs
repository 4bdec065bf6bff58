//! An argument that must be given was added.

use crate::diff::compare::{Slot, Spot, is_required};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "required-argument-added",
    level: Level::Breaking,
    summary: "An argument that must be given was added.",
    reason: "A request that was right lacks it and is refused.",
    graphql_js: Some("REQUIRED_ARG_ADDED"),
    inspector: &["FIELD_ARGUMENT_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let new = spot.input(Slot::Argument)?.added()?;
    is_required(new).then(|| format!("required argument `{}` was added", spot.coordinate))
}
