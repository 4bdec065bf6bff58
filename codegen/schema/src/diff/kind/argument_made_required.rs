//! An argument lost its default, and so must be given.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "argument-made-required",
    level: Level::Breaking,
    summary: "An argument lost its default, and so must be given.",
    reason: "A request that leaves it out is refused.",
    graphql_js: Some("ARG_DEFAULT_VALUE_CHANGE"),
    inspector: &["FIELD_ARGUMENT_DEFAULT_CHANGED"],
    note: Some(
        "graphql-js and graphql-inspector see a changed default, which is dangerous; but the value has to be given \
                now, and who leaves it out is refused.",
    ),
    aspect: Aspect::Default,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.made_required(Slot::Argument)
        .then(|| format!("argument `{}` lost its default and must be given", spot.coordinate))
}
