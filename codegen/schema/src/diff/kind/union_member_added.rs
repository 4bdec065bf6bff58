//! A union has one more member.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "union-member-added",
    level: Level::Dangerous,
    summary: "A union has one more member.",
    reason: "An answer can hold a type that a client does not know there.",
    graphql_js: Some("TYPE_ADDED_TO_UNION"),
    inspector: &["UNION_MEMBER_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Member(both) = spot.seen else { return None };
    Some(format!("`{}` was added to union `{}`", both.added()?, spot.coordinate))
}
