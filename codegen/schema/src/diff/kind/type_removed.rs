//! A type was removed.

use super::noun;
use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "type-removed",
    level: Level::Breaking,
    summary: "A type was removed.",
    reason: "An operation that names the type, or reaches it, is refused.",
    graphql_js: Some("TYPE_REMOVED"),
    inspector: &["TYPE_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let old = spot.ty()?.removed()?;
    Some(format!("{} `{}` was removed", noun(old), old.name))
}
