//! Rules for names: each kind of element has its spelling.

use heck::{ToLowerCamelCase, ToShoutySnakeCase, ToUpperCamelCase};

use super::definition::LintHit;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::Kind;
use dated_graphql_schema::sdl::Sdl;
use dated_graphql_schema::walk::input_values;

/// The spelling of a kind of names.
#[derive(Clone, Copy)]
struct Spelling {
    form: &'static str,
    is_right: fn(&str) -> bool,
    write: fn(&str) -> String,
}

const PASCAL: Spelling = Spelling { form: "LikeThis", is_right: is_pascal, write: |name| name.to_upper_camel_case() };
const CAMEL: Spelling = Spelling { form: "likeThis", is_right: is_camel, write: |name| name.to_lower_camel_case() };
const SCREAMING: Spelling =
    Spelling { form: "LIKE_THIS", is_right: is_screaming, write: |name| name.to_shouty_snake_case() };

pub(super) fn spelling(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let mut ask = |coordinate: String, name: &str, Spelling { form, is_right, write }: Spelling| {
        if !is_right(name) {
            let message = format!("the name of `{coordinate}` is not written `{form}`");
            found.push(LintHit::new(coordinate, message, format!("write `{}`", write(name))));
        }
    };
    for ty in &sdl.schema.types {
        ask(ty.name.clone(), &ty.name, PASCAL);
        for field in ty.fields() {
            ask(coordinate::member(&ty.name, &field.name), &field.name, CAMEL);
        }
        if let Kind::Enum { values } = &ty.kind {
            for value in values {
                ask(coordinate::member(&ty.name, &value.name), &value.name, SCREAMING);
            }
        }
    }
    for directive in &sdl.schema.directives {
        ask(coordinate::directive(&directive.name), &directive.name, CAMEL);
    }
    for value in input_values(&sdl.schema) {
        ask(value.coordinate, &value.input.name, CAMEL);
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
