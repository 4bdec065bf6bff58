//! A directive may no longer stand in a kind of place.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-location-removed",
    level: Level::Breaking,
    summary: "A directive may no longer stand in a kind of place.",
    reason: "A document that has it there is refused.",
    graphql_js: Some("DIRECTIVE_LOCATION_REMOVED"),
    inspector: &["DIRECTIVE_LOCATION_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Location(both) = spot.seen else { return None };
    Some(format!("directive `{}` may no longer stand on {}", spot.coordinate, both.removed()?))
}
