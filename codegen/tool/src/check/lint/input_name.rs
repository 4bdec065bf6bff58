//! Inputs are called `…Input`, and nothing else is.

use super::{Rule, Smell};
use crate::model::Kind;
use crate::sdl::Sdl;

pub(super) static RULE: Rule = Rule {
    id: "input-name",
    summary: "The name of an input ends in `Input`, and no other does.",
    reason: "The object `Deceased` and the input `DeceasedInput` stand side by side; the name says which is sent.",
    check,
};

fn check(sdl: &Sdl, found: &mut Vec<Smell>) {
    for ty in &sdl.schema.types {
        let is_input = matches!(ty.kind, Kind::Input { .. });
        if is_input && !ty.name.ends_with("Input") {
            let message = format!("the name of input `{}` does not end in `Input`", ty.name);
            found.push(Smell::new(&ty.name, message, format!("call it `{}Input`", ty.name)));
        } else if !is_input && ty.name.ends_with("Input") {
            let message = format!("`{}` is no input, but its name ends in `Input`", ty.name);
            found.push(Smell::new(&ty.name, message, "another name"));
        }
    }
}
