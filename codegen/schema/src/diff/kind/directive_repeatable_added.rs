//! A directive may stand several times in a place.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-repeatable-added",
    level: Level::Safe,
    summary: "A directive may stand several times in a place.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &["DIRECTIVE_REPEATABLE_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.directive()?.kept()?;
    (!old.repeatable && new.repeatable).then(|| format!("directive `{}` is repeatable from now on", spot.coordinate))
}
