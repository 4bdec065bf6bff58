//! The schema has no mutations any more.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "mutation-root-removed",
    level: Level::Breaking,
    summary: "The schema has no mutations any more.",
    reason: "Every mutation is refused.",
    graphql_js: None,
    inspector: &["SCHEMA_MUTATION_TYPE_CHANGED"],
    note: Some("graphql-js does not look at roots; graphql-inspector does."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Root("mutation", both) = spot.seen else { return None };
    Some(format!("the mutation root `{}` was removed", both.removed()?))
}
