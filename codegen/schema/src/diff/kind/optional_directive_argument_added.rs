//! An argument of a directive that may be left out was added.

use crate::diff::compare::{Slot, Spot, is_required};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "optional-directive-argument-added",
    level: Level::Safe,
    summary: "An argument of a directive that may be left out was added.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &["DIRECTIVE_ARGUMENT_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let new = spot.input(Slot::DirectiveArgument)?.added()?;
    (!is_required(new)).then(|| format!("optional directive argument `{}` was added", spot.coordinate))
}
