//! A type implements one more interface.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "implemented-interface-added",
    level: Level::Dangerous,
    summary: "A type implements one more interface.",
    reason: "A field of the interface can hold a type that a client does not know there.",
    graphql_js: Some("IMPLEMENTED_INTERFACE_ADDED"),
    inspector: &["OBJECT_TYPE_INTERFACE_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Implements(both) = spot.seen else { return None };
    Some(format!("`{}` implements `{}` from now on", spot.coordinate, both.added()?))
}
