//! A description is made of sentences.

use super::{Rule, Smell, slot};
use crate::coordinate;
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "description-sentence",
    summary: "A description begins with a capital or with code, and ends with a full stop or with a block of code.",
    reason: "Descriptions stand below one another in the reference; one voice reads better than many.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let schema = &sdl.schema;
    let mut ask = |coordinate: &str, description: Option<&str>| {
        let Some(text) = description.map(str::trim).filter(|text| !text.is_empty()) else { return };
        let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '`');
        let ends = text.ends_with(['.', '?', ')']) || text.ends_with("```") || is_list(text);
        if !begins || !ends {
            let what = if begins { "does not end with a full stop" } else { "does not begin with a capital" };
            let span = sdl.places.get(coordinate).and_then(|place| place.description);
            let message = format!("the description of `{coordinate}` {what}");
            found.push(Smell::new(coordinate, message, "write a sentence").span(span));
        }
    };
    ask(coordinate::SCHEMA, schema.description.as_deref());
    for ty in &schema.types {
        ask(&ty.name, ty.description.as_deref());
        for field in ty.fields() {
            ask(&coordinate::member(&ty.name, &field.name), field.description.as_deref());
        }
        if let Kind::Enum { values } = &ty.kind {
            for value in values {
                ask(&coordinate::member(&ty.name, &value.name), value.description.as_deref());
            }
        }
    }
    for directive in &schema.directives {
        ask(&coordinate::directive(&directive.name), directive.description.as_deref());
    }
    for slot in slot::all(sdl) {
        ask(&slot.coordinate, slot.input.description.as_deref());
    }
}

/// Whether the last line is an item of a list.
fn is_list(text: &str) -> bool {
    text.lines().next_back().is_some_and(|line| line.trim_start().starts_with(['-', '*']))
}
