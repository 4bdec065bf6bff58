//! The reason for the deprecation of a field was added.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};
use crate::parse::NO_REASON;

pub(super) static RULE: Rule = Rule {
    id: "field-deprecation-reason-added",
    level: Level::Safe,
    summary: "The reason for the deprecation of a field was added.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["FIELD_DEPRECATION_REASON_ADDED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.field()?.kept()?;
    let (old, _) = old.deprecated.as_deref().zip(new.deprecated.as_deref()).filter(|(old, new)| old != new)?;
    (old == NO_REASON).then(|| format!("`{}` says why it is deprecated from now on", spot.coordinate))
}
