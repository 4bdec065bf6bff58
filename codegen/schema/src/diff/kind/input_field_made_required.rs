//! A field of an input lost its default, and so must be given.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-made-required",
    level: Level::Breaking,
    summary: "A field of an input lost its default, and so must be given.",
    reason: "A request that leaves it out is refused.",
    graphql_js: None,
    inspector: &["INPUT_FIELD_DEFAULT_VALUE_CHANGED"],
    note: Some(
        "graphql-js 16 does not look at the defaults of input fields; but the value has to be given now, and who \
                leaves it out is refused.",
    ),
    aspect: Aspect::Default,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.made_required(Slot::InputField)
        .then(|| format!("input field `{}` lost its default and must be given", spot.coordinate))
}
