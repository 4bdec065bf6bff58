//! What is deprecated says why.

use super::{Rule, Smell, slot};
use crate::coordinate;
use crate::model::Kind;
use crate::parse::NO_REASON;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "deprecation-reason",
    summary: "A deprecation has a reason: a sentence.",
    reason: "\"No longer supported\" tells a partner nothing about what to do.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for (coordinate, reason) in deprecations(sdl) {
        let text = reason.trim();
        if text == NO_REASON || text.is_empty() || !text.ends_with('.') {
            let span = sdl.use_of(&coordinate, "deprecated").map(|used| used.span);
            let message = format!("the deprecation of `{coordinate}` does not say why, in a sentence");
            let help = "write `@deprecated(reason: \"Use `other`, which …\")`";
            found.push(Smell::new(coordinate, message, "why, and what instead?").span(span).help(help));
        }
    }
}

/// Everything that is deprecated, with its reason.
pub(super) fn deprecations(sdl: &Sdl) -> Vec<(String, &str)> {
    let mut found = vec![];
    for ty in &sdl.schema.types {
        let at = |name: &str| coordinate::member(&ty.name, name);
        found.extend(ty.fields().iter().filter_map(|field| Some((at(&field.name), field.deprecated.as_deref()?))));
        if let Kind::Enum { values } = &ty.kind {
            found.extend(values.iter().filter_map(|value| Some((at(&value.name), value.deprecated.as_deref()?))));
        }
    }
    let slots = slot::all(sdl).into_iter();
    found.extend(slots.filter_map(|slot| Some((slot.coordinate, slot.input.deprecated.as_deref()?))));
    found
}
