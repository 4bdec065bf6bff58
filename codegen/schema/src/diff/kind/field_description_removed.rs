//! The description of a field was removed.

use crate::diff::compare::{Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "field-description-removed",
    level: Level::Safe,
    summary: "The description of a field was removed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["FIELD_DESCRIPTION_REMOVED"],
    note: None,
    aspect: Aspect::Description,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.field()?.kept()?;
    let change = told(old.description.as_deref(), new.description.as_deref())?;
    (change == Told::Removed).then(|| format!("the description was removed from `{}`", spot.coordinate))
}
