//! A directive may stand only once in a place.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-repeatable-removed",
    level: Level::Breaking,
    summary: "A directive may stand only once in a place.",
    reason: "A document that repeats it is refused.",
    graphql_js: Some("DIRECTIVE_REPEATABLE_REMOVED"),
    inspector: &["DIRECTIVE_REPEATABLE_REMOVED"],
    note: Some("graphql-inspector calls it dangerous; ours is the level of graphql-js."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.directive()?.kept()?;
    (old.repeatable && !new.repeatable).then(|| format!("directive `{}` is no longer repeatable", spot.coordinate))
}
