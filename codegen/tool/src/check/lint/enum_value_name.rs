//! Values of enums are called `LIKE_THIS`.

use super::{Rule, Smell, word};
use crate::coordinate;
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "enum-value-name",
    summary: "The name of an enum value is written `LIKE_THIS`.",
    reason: "It is what every GraphQL schema does, and tells a value from a field at a glance.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for ty in &sdl.schema.types {
        let Kind::Enum { values } = &ty.kind else { continue };
        for value in values.iter().filter(|value| !word::is_screaming(&value.name)) {
            let coordinate = coordinate::member(&ty.name, &value.name);
            let message = format!("the name of `{coordinate}` is not written `LIKE_THIS`");
            found.push(Smell::new(coordinate, message, "another spelling"));
        }
    }
}
