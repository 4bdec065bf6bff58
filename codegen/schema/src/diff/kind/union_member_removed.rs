//! A union lost a member.

use crate::diff::compare::{Seen, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "union-member-removed",
    level: Level::Breaking,
    summary: "A union lost a member.",
    reason: "A fragment on the member is refused.",
    graphql_js: Some("TYPE_REMOVED_FROM_UNION"),
    inspector: &["UNION_MEMBER_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Member(both) = spot.seen else { return None };
    Some(format!("`{}` was removed from union `{}`", both.removed()?, spot.coordinate))
}
