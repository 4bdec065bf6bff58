//! Rules for mutations: each has a payload type with user errors.

use super::definition::{LintHit, require_field};
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::Kind;
use dated_graphql_schema::sdl::Sdl;

pub(super) fn mutation_payload(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let schema = &sdl.schema;
    let Some(mutation) = schema.mutation.as_deref().and_then(|name| schema.get(name)) else { return };
    for root_field in mutation.fields() {
        let at = coordinate::member(&mutation.name, &root_field.name);
        let expected = format!("{}Payload", pascal(&root_field.name));
        if root_field.ty.to_string() != expected {
            let message = format!("`{at}` is `{}` and not `{expected}`", root_field.ty);
            found.push(LintHit::new(&at, message, format!("write `{expected}`")).at_type(sdl));
            continue;
        }
        let Some(payload) = schema.get(&expected) else { continue };
        let errors = payload.field("userErrors").map(|errors| errors.ty.name.clone());
        match errors {
            Some(name) if name.ends_with("UserError") => {
                require_field(sdl, payload, "userErrors", &format!("[{name}!]!"), found);
            }
            Some(_) => {
                let at = coordinate::member(&payload.name, "userErrors");
                found.push(
                    LintHit::new(&at, format!("`{at}` holds no user errors"), "write `[…UserError!]!`").at_type(sdl),
                );
            }
            None => {
                let message = format!("`{}` has no field `userErrors`", payload.name);
                found.push(LintHit::new(&payload.name, message, "add `userErrors: […UserError!]!`"));
            }
        }
        for field in payload.fields().iter().filter(|field| field.name != "userErrors" && field.ty.is_non_null()) {
            let at = coordinate::member(&payload.name, &field.name);
            let message = format!("`{at}` cannot be null, so there is no answer with user errors");
            found.push(LintHit::new(at, message, "remove the `!`").at_type(sdl));
        }
    }
}

pub(super) fn user_error_shape(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in sdl.schema.types.iter().filter(|ty| ty.name.ends_with("UserError")) {
        if !ty.implements().iter().any(|interface| interface == "DisplayableError") {
            let message = format!("`{}` does not implement `DisplayableError`", ty.name);
            found.push(LintHit::new(&ty.name, message, "add `implements DisplayableError`"));
        }
        require_field(sdl, ty, "code", &format!("{}Code", ty.name), found);
        let code = ty.field("code").and_then(|code| sdl.schema.get(&code.ty.name));
        if code.is_some_and(|code| !matches!(code.kind, Kind::Enum { .. })) {
            let at = coordinate::member(&ty.name, "code");
            found.push(LintHit::new(&at, format!("`{at}` is no enum"), "a code is one of a list").at_type(sdl));
        }
    }
}

/// Returns `BookCreate` for `bookCreate`.
fn pascal(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}
