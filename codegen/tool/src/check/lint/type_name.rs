//! Types are called `LikeThis`.

use super::{Rule, Smell, word};
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "type-name",
    summary: "The name of a type is written `LikeThis`.",
    reason: "It is what every GraphQL schema does, and what the generated Rust stands on.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for ty in sdl.schema.types.iter().filter(|ty| !word::is_pascal(&ty.name)) {
        let message = format!("the name of type `{}` is not written `LikeThis`", ty.name);
        found.push(Smell::new(&ty.name, message, "another spelling"));
    }
}
