//! Rules for the types of a schema: lists hold no null, and every type is used.

use super::definition::LintHit;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::Ty;
use dated_graphql_schema::sdl::Sdl;
use dated_graphql_schema::walk::{self, input_values};

pub(super) fn list_item_null(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let mut ask = |coordinate: String, ty: &Ty| {
        if holds_null(ty) {
            let message = format!("the list `{coordinate}` can hold null");
            found.push(LintHit::new(coordinate, message, "put `!` behind the item").at_type(sdl));
        }
    };
    for ty in &sdl.schema.types {
        ty.fields().iter().for_each(|field| ask(coordinate::member(&ty.name, &field.name), &field.ty));
    }
    for value in input_values(&sdl.schema) {
        ask(value.coordinate, &value.input.ty);
    }
}

fn holds_null(ty: &Ty) -> bool {
    ty.item().is_some_and(|item| !item.is_non_null() || holds_null(&item))
}

pub(super) fn type_unreachable(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let reached = walk::reached(&sdl.schema, walk::starts(&sdl.schema));
    for ty in sdl.schema.types.iter().filter(|ty| !reached.contains(&*ty.name)) {
        found.push(LintHit::new(&ty.name, format!("nothing leads to `{}`", ty.name), "remove it, or lead to it"));
    }
}
