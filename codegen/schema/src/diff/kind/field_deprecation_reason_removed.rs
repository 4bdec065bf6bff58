//! The reason for the deprecation of a field was removed.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};
use crate::parse::NO_REASON;

pub(super) static RULE: Rule = Rule {
    id: "field-deprecation-reason-removed",
    level: Level::Safe,
    summary: "The reason for the deprecation of a field was removed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["FIELD_DEPRECATION_REASON_REMOVED"],
    note: None,
    aspect: Aspect::Deprecation,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.field()?.kept()?;
    let (_, new) = old.deprecated.as_deref().zip(new.deprecated.as_deref()).filter(|(old, new)| old != new)?;
    (new == NO_REASON).then(|| format!("`{}` no longer says why it is deprecated", spot.coordinate))
}
