//! Everything has a description.

use super::{Rule, Smell, slot};
use crate::coordinate;
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "description-missing",
    summary: "Everything has a description: types, fields, arguments, values, directives, the schema itself.",
    reason: "The schema is all that a partner has; introspection and the reference are made of its descriptions.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let schema = &sdl.schema;
    let mut ask = |coordinate: &str, description: Option<&str>| {
        if description.is_none_or(|text| text.trim().is_empty()) {
            let what =
                if coordinate == coordinate::SCHEMA { "the schema".to_owned() } else { format!("`{coordinate}`") };
            found.push(Smell::new(coordinate, format!("{what} has no description"), "say what it is"));
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
