//! Lists hold no null.

use super::{Rule, Smell, slot};
use crate::coordinate;
use crate::model::Ty;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "list-item-null",
    summary: "The items of a list cannot be null: `[String!]`, not `[String]`.",
    reason: "Null in a list means nothing that an item left out does not, and every client has to look for it.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    let mut ask = |coordinate: String, ty: &Ty| {
        if holds_null(ty) {
            let span = sdl.places.get(&coordinate).and_then(|place| place.ty);
            let message = format!("the list `{coordinate}` can hold null");
            found.push(Smell::new(coordinate, message, "put `!` behind the item").span(span));
        }
    };
    for ty in &sdl.schema.types {
        ty.fields().iter().for_each(|field| ask(coordinate::member(&ty.name, &field.name), &field.ty));
    }
    for slot in slot::all(sdl) {
        ask(slot.coordinate, &slot.input.ty);
    }
}

fn holds_null(ty: &Ty) -> bool {
    ty.item().is_some_and(|item| !item.is_non_null() || holds_null(&item))
}
