//! An argument is no longer deprecated.

use crate::diff::compare::{Slot, Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "argument-undeprecated",
    level: Level::Safe,
    summary: "An argument is no longer deprecated.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["DIRECTIVE_USAGE_ARGUMENT_DEFINITION_REMOVED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.input(Slot::Argument)?.kept()?;
    let change = told(old.deprecated.as_deref(), new.deprecated.as_deref())?;
    (change == Told::Removed).then(|| format!("`{}` is no longer deprecated", spot.coordinate))
}
