//! A field that leads to a connection takes a page from either end (Relay, "GraphQL Cursor Connections Specification",
//! section 4).

use super::{Rule, Smell};
use crate::coordinate;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "connection-arguments",
    summary: "A field that leads to a connection takes `first: Int`, `after: String`, `last: Int`, `before: String`, and \
              is not null.",
    reason: "Relay asks for them; and an empty page says more than null.",
    check,
};

const ARGUMENTS: [(&str, &str); 4] = [("first", "Int"), ("after", "String"), ("last", "Int"), ("before", "String")];

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for ty in &sdl.schema.types {
        for field in ty.fields().iter().filter(|field| field.ty.name.ends_with("Connection")) {
            let at = coordinate::member(&ty.name, &field.name);
            for (name, expected) in ARGUMENTS {
                let argument = field.args.iter().find(|argument| argument.name == name);
                if argument.is_none_or(|argument| argument.ty.to_string() != expected || argument.default.is_some()) {
                    let message = format!("`{at}` does not take `{name}: {expected}`");
                    found.push(Smell::new(&at, message, format!("add `{name}: {expected}`")));
                }
            }
            if field.ty.to_string() != format!("{}!", field.ty.name) {
                let span = sdl.places.get(&at).and_then(|place| place.ty);
                let message = format!("`{at}` can be null or is a list");
                found.push(Smell::new(&at, message, format!("write `{}!`", field.ty.name)).span(span));
            }
        }
    }
}
