//! Rules for deprecations: each says why, and what to use instead.

use super::definition::{LintHit, Rule};
use super::input_value::input_values;
use schema::coordinate;
use schema::model::Kind;
use schema::parse::NO_REASON;
use schema::sdl::Sdl;

pub(super) static REASON: Rule = Rule {
    id: "deprecation-reason",
    summary: "A deprecation has a reason: a sentence.",
    reason: "\"No longer supported\" tells a partner nothing about what to do.",
    check: reason,
};

fn reason(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for (coordinate, text) in deprecations(sdl) {
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
            found.push(LintHit::new(coordinate, message, "what instead?").span(span).help(help));
        }
    }
}

/// Resolves a name in a reason: a coordinate, or the name of a sibling of the deprecated element.
fn resolve(sdl: &Sdl, of: &str, name: &str) -> Option<String> {
    if sdl.spans.get(name).is_some() {
        return Some(name.to_owned());
    }
    let parent = coordinate::parent(of)?;
    let siblings = [coordinate::member(parent, name), coordinate::argument(parent, name)];
    siblings.into_iter().find(|at| sdl.spans.get(at).is_some())
}

/// Returns the coordinate and the reason of every deprecated element.
fn deprecations(sdl: &Sdl) -> Vec<(String, &str)> {
    let mut found = vec![];
    for ty in &sdl.schema.types {
        let at = |name: &str| coordinate::member(&ty.name, name);
        found.extend(ty.fields().iter().filter_map(|field| Some((at(&field.name), field.deprecated.as_deref()?))));
        if let Kind::Enum { values } = &ty.kind {
            found.extend(values.iter().filter_map(|value| Some((at(&value.name), value.deprecated.as_deref()?))));
        }
    }
    let values = input_values(sdl).into_iter();
    found.extend(values.filter_map(|value| Some((value.coordinate, value.input.deprecated.as_deref()?))));
    found
}
