//! A type no longer implements an interface.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "implemented-interface-removed",
    level: Level::Breaking,
    summary: "A type no longer implements an interface.",
    reason: "A fragment on the interface no longer applies, and a field of the interface can no longer hold the type.",
    graphql_js: Some("IMPLEMENTED_INTERFACE_REMOVED"),
    inspector: &["OBJECT_TYPE_INTERFACE_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Implements(both) = spot.seen else { return None };
    Some(format!("`{}` no longer implements `{}`", spot.coordinate, both.removed()?))
}
