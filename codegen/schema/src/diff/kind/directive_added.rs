//! A directive was added.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-added",
    level: Level::Safe,
    summary: "A directive was added.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &["DIRECTIVE_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.directive()?.added()?;
    Some(format!("directive `{}` was added", spot.coordinate))
}
