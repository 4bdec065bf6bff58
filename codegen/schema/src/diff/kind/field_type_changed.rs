//! The type of a field changed, so that an answer can hold what it could not hold before.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule, compatible};

pub(super) static RULE: Rule = Rule {
    id: "field-type-changed",
    level: Level::Breaking,
    summary: "The type of a field changed, so that an answer can hold what it could not hold before.",
    reason: "A client reads a value that it was promised not to see: null, a list, another type.",
    graphql_js: Some("FIELD_CHANGED_KIND"),
    inspector: &["FIELD_TYPE_CHANGED"],
    note: None,
    aspect: Aspect::Type,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.field()?.kept()?;
    let changed = !compatible::output(&old.ty, &new.ty);
    changed.then(|| format!("the type of field `{}` was `{}` and is `{}`", spot.coordinate, old.ty, new.ty))
}
