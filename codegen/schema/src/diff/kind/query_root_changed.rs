//! The query root is another type.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "query-root-changed",
    level: Level::Breaking,
    summary: "The query root is another type.",
    reason: "`__typename` of the root and fragments on it change, and its fields are those of another type.",
    graphql_js: None,
    inspector: &["SCHEMA_QUERY_TYPE_CHANGED"],
    note: Some("graphql-js does not look at roots; graphql-inspector does."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Root("query", both) = spot.seen else { return None };
    let (old, new) = both.kept().filter(|(old, new)| old != new)?;
    Some(format!("the query root was `{old}` and is `{new}`"))
}
