//! An input is no longer `@oneOf`.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};
use crate::model::Kind;

pub(super) static RULE: Rule = Rule {
    id: "one-of-removed",
    level: Level::Safe,
    summary: "An input is no longer `@oneOf`.",
    reason: "Every value that was right still is.",
    graphql_js: None,
    inspector: &["DIRECTIVE_USAGE_INPUT_OBJECT_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (Kind::Input { one_of: true, .. }, Kind::Input { one_of: false, .. }) = spot.kinds()? else { return None };
    Some(format!("input `{}` is no longer `@oneOf`", spot.coordinate))
}
