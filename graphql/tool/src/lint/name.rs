//! Rules for names: each kind of element has its spelling.

use super::definition::LintHit;
use schema::coordinate;
use schema::model::Kind;
use schema::sdl::Sdl;
use schema::walk::input_values;

pub(super) fn spelling(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let mut ask = |coordinate: String, name: &str, is_right: fn(&str) -> bool, form: &str| {
        if !is_right(name) {
            let message = format!("the name of `{coordinate}` is not written `{form}`");
            found.push(LintHit::new(coordinate, message, "another spelling"));
        }
    };
    for ty in &sdl.schema.types {
        ask(ty.name.clone(), &ty.name, is_pascal, "LikeThis");
        for field in ty.fields() {
            ask(coordinate::member(&ty.name, &field.name), &field.name, is_camel, "likeThis");
        }
        if let Kind::Enum { values } = &ty.kind {
            for value in values {
                ask(coordinate::member(&ty.name, &value.name), &value.name, is_screaming, "LIKE_THIS");
            }
        }
    }
    for directive in &sdl.schema.directives {
        ask(coordinate::directive(&directive.name), &directive.name, is_camel, "likeThis");
    }
    for value in input_values(&sdl.schema) {
        ask(value.coordinate, &value.input.name, is_camel, "likeThis");
    }
}

pub(super) fn input_name(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in &sdl.schema.types {
        let is_input = matches!(ty.kind, Kind::Input { .. });
        if is_input && !ty.name.ends_with("Input") {
            let message = format!("the name of input `{}` does not end in `Input`", ty.name);
            found.push(LintHit::new(&ty.name, message, format!("call it `{}Input`", ty.name)));
        } else if !is_input && ty.name.ends_with("Input") {
            let message = format!("`{}` is no input, but its name ends in `Input`", ty.name);
            found.push(LintHit::new(&ty.name, message, "another name"));
        }
    }
}

/// `BookEdition`, `URL`
fn is_pascal(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `bookTitle`
fn is_camel(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `BOOKS_CREATE`
fn is_screaming(name: &str) -> bool {
    let known = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let tidy = !name.ends_with('_') && !name.contains("__");
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(known) && tidy
}
