//! Rules for descriptions: every element has one, in sentences, with its limits.

use super::definition::LintHit;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::Kind;
use dated_graphql_schema::numbers::numbers;
use dated_graphql_schema::sdl::Sdl;
use dated_graphql_schema::walk::{descriptions, input_values};

pub(super) fn missing(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for (coordinate, description) in descriptions(&sdl.schema) {
        if description.is_none_or(|text| text.trim().is_empty()) {
            let what =
                if coordinate == coordinate::SCHEMA { "the schema".to_owned() } else { format!("`{coordinate}`") };
            found.push(LintHit::new(coordinate, format!("{what} has no description"), "say what it is"));
        }
    }
}

pub(super) fn sentence(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for (coordinate, description) in descriptions(&sdl.schema) {
        let Some(text) = description.map(str::trim).filter(|text| !text.is_empty()) else { continue };
        let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '`');
        let ends = text.ends_with(['.', '?', ')']) || text.ends_with("```") || is_list(text);
        if !begins || !ends {
            let what = if begins { "does not end with a full stop" } else { "does not begin with a capital" };
            let message = format!("the description of `{coordinate}` {what}");
            found.push(LintHit::new(coordinate, message, "write a sentence").at_description(sdl));
        }
    }
}

/// Returns whether the last line is an item of a list.
fn is_list(text: &str) -> bool {
    text.lines().next_back().is_some_and(|line| line.trim_start().starts_with(['-', '*']))
}

pub(super) fn limit_stated(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for value in input_values(&sdl.schema).into_iter().filter(|value| !value.coordinate.starts_with('@')) {
        let name = &*value.input.name;
        // A cursor comes from an answer of the server.
        let cursor =
            value.field_type.is_some_and(|ty| ty.ends_with("Connection")) && ["after", "before"].contains(&name);
        let text = value.input.description.as_deref().unwrap_or_default();
        if cursor || text.is_empty() || !numbers(text).is_empty() {
            continue;
        }
        let ty = &value.input.ty;
        let (what, example) = match &*ty.name {
            _ if ty.is_list() && !is_enum(sdl, &ty.name) => ("how many there may be", "at most 20 items"),
            "String" if !ty.is_list() => ("how long it may be", "at most 255 characters"),
            "Int" | "Float" if !ty.is_list() => ("how small and how large it may be", "0 to 250"),
            _ => continue,
        };
        let message = format!("`{}` does not say {what}", value.coordinate);
        let hit = LintHit::new(&value.coordinate, message, "state the limit in figures").at_description(sdl);
        found.push(hit.help(format!("for example: \"{example}\"")));
    }
}

fn is_enum(sdl: &Sdl, name: &str) -> bool {
    sdl.schema.get(name).is_some_and(|ty| matches!(ty.kind, Kind::Enum { .. }))
}
