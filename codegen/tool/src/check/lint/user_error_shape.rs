//! A user error says what, where and why.

use super::connection_shape::field;
use super::{Rule, Smell};
use crate::coordinate;
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "user-error-shape",
    summary: "A type called `…UserError` implements `DisplayableError` and has `code: …UserErrorCode`, an enum.",
    reason: "A partner shows the message to a person and decides by the code; the code may be null, so that a new reason \
             never breaks an answer.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for ty in sdl.schema.types.iter().filter(|ty| ty.name.ends_with("UserError")) {
        if !ty.implements().iter().any(|interface| interface == "DisplayableError") {
            let message = format!("`{}` does not implement `DisplayableError`", ty.name);
            found.push(Smell::new(&ty.name, message, "add `implements DisplayableError`"));
        }
        field(sdl, ty, "code", &format!("{}Code", ty.name), found);
        let code = ty.field("code").and_then(|code| sdl.schema.get(&code.ty.name));
        if code.is_some_and(|code| !matches!(code.kind, Kind::Enum { .. })) {
            let at = coordinate::member(&ty.name, "code");
            let span = sdl.places.get(&at).and_then(|place| place.ty);
            found.push(Smell::new(&at, format!("`{at}` is no enum"), "a code is one of a list").span(span));
        }
    }
}
