//! A scalar of the specification is used for the first time.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "built-in-scalar-added",
    level: Level::Safe,
    summary: "A scalar of the specification is used for the first time.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &[],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::BuiltIn(both) = spot.seen else { return None };
    Some(format!("scalar `{}` is used for the first time", both.added()?))
}
