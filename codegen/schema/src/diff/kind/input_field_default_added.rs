//! The default of an input field was added.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "input-field-default-added",
    level: Level::Dangerous,
    summary: "The default of an input field was added.",
    reason: "A request that leaves it out means something else.",
    graphql_js: None,
    inspector: &["INPUT_FIELD_DEFAULT_VALUE_CHANGED"],
    note: Some(
        "graphql-js 17 calls it safe; but a request that leaves the value out means something else from now on \
                (graphql-inspector agrees).",
    ),
    aspect: Aspect::Default,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (None, Some(new)) = spot.default(Slot::InputField)? else { return None };
    Some(format!("the default `{}` was added to input field `{}`", new, spot.coordinate))
}
