//! An argument of a directive was removed.

use crate::diff::compare::{Slot, Spot};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-argument-removed",
    level: Level::Breaking,
    summary: "An argument of a directive was removed.",
    reason: "A directive that gives it is refused.",
    graphql_js: Some("DIRECTIVE_ARG_REMOVED"),
    inspector: &["DIRECTIVE_ARGUMENT_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.input(Slot::DirectiveArgument)?.removed()?;
    Some(format!("directive argument `{}` was removed", spot.coordinate))
}
