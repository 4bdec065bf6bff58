//! A type was added.

use super::noun;
use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "type-added",
    level: Level::Safe,
    summary: "A type was added.",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &["TYPE_ADDED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let new = spot.ty()?.added()?;
    Some(format!("{} `{}` was added", noun(new), new.name))
}
