//! The description of a type was removed.

use crate::diff::compare::{Spot, Told, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "type-description-removed",
    level: Level::Safe,
    summary: "The description of a type was removed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &["TYPE_DESCRIPTION_REMOVED"],
    note: None,
    aspect: Aspect::Description,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.ty()?.kept()?;
    let change = told(old.description.as_deref(), new.description.as_deref())?;
    (change == Told::Removed).then(|| format!("the description was removed from `{}`", spot.coordinate))
}
