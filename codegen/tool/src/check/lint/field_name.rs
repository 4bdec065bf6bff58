//! Fields and arguments are called `likeThis`.

use super::{Rule, Smell, slot, word};
use crate::coordinate;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "field-name",
    summary: "The name of a field, an argument or a directive is written `likeThis`.",
    reason: "It is what every GraphQL schema does; a name is what people type.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let mut ask = |coordinate: String, name: &str| {
        if !word::is_camel(name) {
            let message = format!("the name of `{coordinate}` is not written `likeThis`");
            found.push(Smell::new(coordinate, message, "another spelling"));
        }
    };
    for ty in &sdl.schema.types {
        ty.fields().iter().for_each(|field| ask(coordinate::member(&ty.name, &field.name), &field.name));
    }
    for directive in &sdl.schema.directives {
        ask(coordinate::directive(&directive.name), &directive.name);
    }
    for slot in slot::all(sdl) {
        ask(slot.coordinate, &slot.input.name);
    }
}
