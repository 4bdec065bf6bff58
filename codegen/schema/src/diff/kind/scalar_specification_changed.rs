//! The address of a scalar's specification (`@specifiedBy`) was added, removed or changed.

use crate::diff::compare::{Spot, told};
use crate::diff::{Aspect, Level, Rule};
use crate::model::Kind;

pub(super) static RULE: Rule = Rule {
    id: "scalar-specification-changed",
    level: Level::Dangerous,
    summary: "The address of a scalar's specification (`@specifiedBy`) was added, removed or changed.",
    reason: "A value that was right may be wrong now, or be written in another way.",
    graphql_js: None,
    inspector: &[
        "DIRECTIVE_USAGE_SCALAR_ADDED",
        "DIRECTIVE_USAGE_SCALAR_REMOVED",
        "DIRECTIVE_USAGE_ARGUMENT_ADDED",
        "DIRECTIVE_USAGE_ARGUMENT_REMOVED",
    ],
    note: Some("graphql-js does not look at it; graphql-inspector sees the use of a directive."),
    aspect: Aspect::Name,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let (Kind::Scalar { specified_by: old }, Kind::Scalar { specified_by: new }) = spot.kinds()? else { return None };
    told(old.as_deref(), new.as_deref())?;
    Some(format!("the specification of scalar `{}` changed", spot.coordinate))
}
