//! A field can no longer be null, or hold null.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule, compatible};

pub(super) static RULE: Rule = Rule {
    id: "field-type-narrowed",
    level: Level::Safe,
    summary: "A field can no longer be null, or hold null.",
    reason: "Every answer is one that was possible before.",
    graphql_js: None,
    inspector: &["FIELD_TYPE_CHANGED"],
    note: Some("graphql-js 17 calls it `FIELD_CHANGED_KIND_SAFE`."),
    aspect: Aspect::Type,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (old, new) = spot.field()?.kept()?;
    let narrowed = old.ty != new.ty && compatible::output(&old.ty, &new.ty);
    narrowed.then(|| format!("the type of field `{}` was `{}` and is `{}`", spot.coordinate, old.ty, new.ty))
}
