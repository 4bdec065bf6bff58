//! A directive may stand in one more kind of place.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-location-added",
    level: Level::Safe,
    summary: "A directive may stand in one more kind of place.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &["DIRECTIVE_LOCATION_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Location(both) = spot.seen else { return None };
    Some(format!("directive `{}` may stand on {} from now on", spot.coordinate, both.added()?))
}
