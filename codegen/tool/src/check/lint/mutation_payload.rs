//! A mutation answers with its own payload.

use super::connection_shape::field;
use super::{Rule, Smell, word};
use crate::coordinate;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "mutation-payload",
    summary: "The mutation `cardCreate` is of type `CardCreatePayload`, which has `userErrors: […UserError!]!` and whose \
              other fields can all be null.",
    reason: "What is wrong with an input is data: with user errors the main object is null, and a payload of its own can \
             grow without disturbing another mutation.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let schema = &sdl.schema;
    let Some(mutation) = schema.mutation.as_deref().and_then(|name| schema.get(name)) else { return };
    for field_of_root in mutation.fields() {
        let at = coordinate::member(&mutation.name, &field_of_root.name);
        let expected = format!("{}Payload", word::pascal(&field_of_root.name));
        if field_of_root.ty.to_string() != expected {
            let span = sdl.places.get(&at).and_then(|place| place.ty);
            let message = format!("`{at}` is `{}` and not `{expected}`", field_of_root.ty);
            found.push(Smell::new(&at, message, format!("write `{expected}`")).span(span));
            continue;
        }
        let Some(payload) = schema.get(&expected) else { continue };
        let errors = payload.field("userErrors").map(|errors| errors.ty.name.clone());
        match errors {
            Some(name) if name.ends_with("UserError") => {
                field(sdl, payload, "userErrors", &format!("[{name}!]!"), found);
            }
            Some(_) => {
                let at = coordinate::member(&payload.name, "userErrors");
                let span = sdl.places.get(&at).and_then(|place| place.ty);
                found
                    .push(Smell::new(&at, format!("`{at}` holds no user errors"), "write `[…UserError!]!`").span(span));
            }
            None => {
                let message = format!("`{}` has no field `userErrors`", payload.name);
                found.push(Smell::new(&payload.name, message, "add `userErrors: […UserError!]!`"));
            }
        }
        for field in payload.fields().iter().filter(|field| field.name != "userErrors" && field.ty.is_non_null()) {
            let at = coordinate::member(&payload.name, &field.name);
            let span = sdl.places.get(&at).and_then(|place| place.ty);
            let message = format!("`{at}` cannot be null, so there is no answer with user errors");
            found.push(Smell::new(at, message, "remove the `!`").span(span));
        }
    }
}
