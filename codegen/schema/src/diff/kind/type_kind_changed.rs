//! A type is of another kind, such as an enum that was a scalar.

use super::noun_with_article as noun;
use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "type-kind-changed",
    level: Level::Breaking,
    summary: "A type is of another kind, such as an enum that was a scalar.",
    reason: "What may be selected below it, or sent for it, is something else altogether.",
    graphql_js: Some("TYPE_CHANGED_KIND"),
    inspector: &["TYPE_KIND_CHANGED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.ty()?.kept()?;
    let (was, is) = (noun(old), noun(new));
    (was != is).then(|| format!("`{}` was {was} and is {is}", old.name))
}
