//! The description of the schema itself was added, removed or changed.

use crate::diff::compare::{Seen, Spot, told};
use crate::diff::{Aspect, Level, Rule};

pub(super) static RULE: Rule = Rule {
    id: "schema-description-changed",
    level: Level::Safe,
    summary: "The description of the schema itself was added, removed or changed.",
    reason: "Only what people read changes.",
    graphql_js: None,
    inspector: &[],
    note: Some("Neither graphql-js nor graphql-inspector looks at it."),
    aspect: Aspect::Description,
    describe,
};

fn describe(spot: &Spot<'_>) -> Option<String> {
    let Seen::Schema(old, new) = spot.seen else { return None };
    told(old.description.as_deref(), new.description.as_deref())?;
    Some("the description of the schema changed".to_owned())
}
