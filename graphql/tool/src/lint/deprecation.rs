//! The rule for deprecations: each says why, and what to use instead.

use super::definition::LintHit;
use schema::deprecation::{deprecations, replacements};
use schema::parse::NO_REASON;
use schema::sdl::Sdl;

pub(super) fn reason(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let deprecated = deprecations(&sdl.schema);
    let is_deprecated = |at: &str| deprecated.iter().any(|(coordinate, _)| coordinate == at);
    for (coordinate, reason) in &deprecated {
        let reason = reason.trim();
        let named = replacements(coordinate, reason, |name| sdl.spans.get(name).is_some());
        let is_replaced = reason.to_lowercase().contains("without replacement");
        let what = if reason == NO_REASON || !reason.ends_with('.') {
            "does not say why, in a sentence"
        } else if !is_replaced && named.iter().all(|at| is_deprecated(at)) {
            "names nothing of this schema to use instead"
        } else {
            continue;
        };
        let span = sdl.use_of(coordinate, "deprecated").map(|used| used.span);
        let help = "write `@deprecated(reason: \"Use `other`, which …\")`, or \"without replacement\"";
        let hit =
            LintHit::new(coordinate, format!("the deprecation of `{coordinate}` {what}"), "why, and what instead?");
        found.push(hit.span(span).help(help));
    }
}
