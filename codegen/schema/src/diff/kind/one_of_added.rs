//! An input became `@oneOf`: exactly one of its fields may be sent.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};
use crate::model::Kind;

pub(super) static RULE: Rule = Rule {
    id: "one-of-added",
    level: Level::Breaking,
    summary: "An input became `@oneOf`: exactly one of its fields may be sent.",
    reason: "A request that sends two of its fields, or none, is refused.",
    graphql_js: None,
    inspector: &["DIRECTIVE_USAGE_INPUT_OBJECT_ADDED"],
    note: Some("graphql-js 16 does not look at it; graphql-inspector calls it breaking as well."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (Kind::Input { one_of: false, .. }, Kind::Input { one_of: true, .. }) = spot.kinds()? else { return None };
    Some(format!("input `{}` became `@oneOf`", spot.coordinate))
}
