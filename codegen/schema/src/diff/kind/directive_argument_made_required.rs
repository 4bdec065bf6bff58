//! An argument of a directive lost its default, and so must be given.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-argument-made-required",
    level: Level::Breaking,
    summary: "An argument of a directive lost its default, and so must be given.",
    reason: "A request that leaves it out is refused.",
    graphql_js: None,
    inspector: &["DIRECTIVE_ARGUMENT_DEFAULT_VALUE_CHANGED"],
    note: Some("graphql-js 16 does not look at the defaults of directives; but the value has to be given now."),
    aspect: Aspect::Default,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.made_required(Slot::DirectiveArgument)
        .then(|| format!("directive argument `{}` lost its default and must be given", spot.coordinate))
}
