//! The schema has mutations from now on.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "mutation-root-added",
    level: Level::Safe,
    summary: "The schema has mutations from now on.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &["SCHEMA_MUTATION_TYPE_CHANGED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Root("mutation", both) = spot.seen else { return None };
    Some(format!("the mutation root `{}` was added", both.added()?))
}
