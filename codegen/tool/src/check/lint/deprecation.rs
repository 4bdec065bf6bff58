//! Rules for deprecations: each says why, and what to use instead.

use super::definition::{LintHit, Rule};
use schema::deprecation::{deprecations, replacements};
use schema::parse::NO_REASON;
use schema::sdl::Sdl;

pub(super) static REASON: Rule = Rule {
    id: "deprecation-reason",
    summary: "A deprecation has a reason: a sentence.",
    reason: "\"No longer supported\" tells a partner nothing about what to do.",
    check: reason,
};

fn reason(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for (coordinate, text) in deprecations(&sdl.schema) {
        let text = text.trim();
        if text == NO_REASON || text.is_empty() || !text.ends_with('.') {
            let span = sdl.use_of(&coordinate, "deprecated").map(|used| used.span);
            let message = format!("the deprecation of `{coordinate}` does not say why, in a sentence");
            let help = "write `@deprecated(reason: \"Use `other`, which …\")`";
            found.push(LintHit::new(coordinate, message, "why, and what instead?").span(span).help(help));
        }
    }
}

pub(super) static REPLACEMENT: Rule = Rule {
    id: "deprecation-replacement",
    summary: "The reason of a deprecation names its replacement in back ticks, or says that it goes `without replacement`.",
    reason: "The one question of everybody who reads it is: what instead?",
    check: replacement,
};

fn replacement(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let deprecated = deprecations(&sdl.schema);
    let gone = |at: &str| deprecated.iter().any(|(coordinate, _)| coordinate == at);
    for (coordinate, reason) in &deprecated {
        if reason.to_lowercase().contains("without replacement") {
            continue;
        }
        let named = replacements(coordinate, reason, |name| sdl.spans.get(name).is_some());
        if named.iter().all(|at| gone(at)) {
            let span = sdl.use_of(coordinate, "deprecated").map(|used| used.span);
            let message = format!("the deprecation of `{coordinate}` names nothing of this schema to use instead");
            let help = "name it in back ticks, such as `id` or `Card.id`, or write \"without replacement\"";
            found.push(LintHit::new(coordinate, message, "what instead?").span(span).help(help));
        }
    }
}
