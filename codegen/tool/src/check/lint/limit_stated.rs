//! What is limited says so.

use super::{Rule, Smell, slot};
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "limit-stated",
    summary: "The description of a text, a number or a list that is sent states its limit in figures.",
    reason: "A limit that stands nowhere is found by a family that fills in a form; base/limits/mod.rs names the numbers.",
    check,
};

/// Words before or after a figure that make it a limit.
const WORDS: [&str; 9] =
    ["at most", "up to", "no more than", "maximum", "between", " to ", "characters", "at least", "exactly"];

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for slot in slot::all(sdl).into_iter().filter(|slot| !slot.coordinate.starts_with('@')) {
        let name = &*slot.input.name;
        // A cursor is ours: it is handed back as it was given.
        let cursor = slot.leads_to.is_some_and(|ty| ty.ends_with("Connection")) && ["after", "before"].contains(&name);
        let text = slot.input.description.as_deref().unwrap_or_default();
        if cursor || text.is_empty() || states_limit(text) {
            continue;
        }
        let ty = &slot.input.ty;
        let (what, example) = match &*ty.name {
            _ if ty.is_list() && !is_enum(sdl, &ty.name) => ("how many there may be", "at most 20 items"),
            "String" if !ty.is_list() => ("how long it may be", "at most 255 characters"),
            "Int" | "Float" if !ty.is_list() => ("how small and how large it may be", "0 to 250"),
            _ => continue,
        };
        let message = format!("`{}` does not say {what}", slot.coordinate);
        let span = sdl.places.get(&slot.coordinate).and_then(|place| place.description);
        let smell = Smell::new(&slot.coordinate, message, "state the limit in figures").span(span);
        found.push(smell.help(format!("for example: \"{example}\"")));
    }
}

/// Whether the text holds a figure, and a word that makes it a limit.
fn states_limit(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains(|c: char| c.is_ascii_digit()) && WORDS.iter().any(|word| text.contains(word))
}

fn is_enum(sdl: &Sdl, name: &str) -> bool {
    sdl.schema.get(name).is_some_and(|ty| matches!(ty.kind, Kind::Enum { .. }))
}
