//! What is deprecated names what to use instead.

use super::deprecation_reason::deprecations;
use super::{Rule, Smell};
use crate::coordinate;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "deprecation-replacement",
    summary: "The reason of a deprecation names its replacement in back ticks, or says that it goes `without replacement`.",
    reason: "The one question of everybody who reads it is: what instead?",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let deprecated = deprecations(sdl);
    let gone = |at: &str| deprecated.iter().any(|(coordinate, _)| coordinate == at);
    for (coordinate, reason) in &deprecated {
        if reason.to_lowercase().contains("without replacement") {
            continue;
        }
        let named = reason.split('`').skip(1).step_by(2);
        let mut known =
            named.filter_map(|name| resolve(sdl, coordinate, name)).filter(|at| at != coordinate && !gone(at));
        if known.next().is_none() {
            let span = sdl.use_of(coordinate, "deprecated").map(|used| used.span);
            let message = format!("the deprecation of `{coordinate}` names nothing of this schema to use instead");
            let help = "name it in back ticks, such as `id` or `Card.id`, or write \"without replacement\"";
            found.push(Smell::new(coordinate, message, "what instead?").span(span).help(help));
        }
    }
}

/// The coordinate that a name in a reason stands for: a coordinate, or a name beside the deprecated one.
fn resolve(sdl: &Sdl, of: &str, name: &str) -> Option<String> {
    if sdl.places.get(name).is_some() {
        return Some(name.to_owned());
    }
    let around = coordinate::parent(of)?;
    let beside = [coordinate::member(around, name), coordinate::argument(around, name)];
    beside.into_iter().find(|at| sdl.places.get(at).is_some())
}
