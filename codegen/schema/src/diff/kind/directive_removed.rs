//! A directive was removed.

use crate::diff::compare::Spot;
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "directive-removed",
    level: Level::Breaking,
    summary: "A directive was removed.",
    reason: "A document that uses it is refused.",
    graphql_js: Some("DIRECTIVE_REMOVED"),
    inspector: &["DIRECTIVE_REMOVED"],
    note: None,
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    spot.directive()?.removed()?;
    Some(format!("directive `{}` was removed", spot.coordinate))
}
