//! The rules for deprecations: each says why, and what to use instead, and is one of the interface too.

use super::definition::LintHit;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::deprecation::{deprecations, replacements};
use dated_graphql_schema::parse::NO_REASON;
use dated_graphql_schema::sdl::Sdl;

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

/// GraphQL specification, section 3.6, `IsValidImplementation`.
pub(super) fn interface(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in &sdl.schema.types {
        for field in ty.fields().iter().filter(|field| field.deprecated.is_some()) {
            let at = coordinate::member(&ty.name, &field.name);
            let is_deprecated = |interface: &&String| {
                let required = sdl.schema.get(interface).and_then(|interface| interface.field(&field.name));
                required.is_none_or(|required| required.deprecated.is_some())
            };
            for interface in ty.implements().iter().filter(|interface| !is_deprecated(interface)) {
                let message = format!("`{at}` is deprecated, but not in `{interface}`");
                let help = format!("deprecate `{interface}.{}` too", field.name);
                let span = sdl.use_of(&at, "deprecated").map(|used| used.span);
                found.push(LintHit::new(&at, message, "deprecated here").span(span).help(help));
            }
        }
    }
}
