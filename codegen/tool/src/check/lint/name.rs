//! Rules for names: each kind of element has its spelling.

use super::definition::{LintHit, Rule};
use schema::coordinate;
use schema::model::Kind;
use schema::sdl::Sdl;
use schema::walk::input_values;

pub(super) static TYPE_NAME: Rule = Rule {
    id: "type-name",
    summary: "The name of a type is written `LikeThis`.",
    reason: "Every GraphQL schema does so, and generated Rust relies on it.",
    check: type_name,
};

fn type_name(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in sdl.schema.types.iter().filter(|ty| !is_pascal(&ty.name)) {
        let message = format!("the name of type `{}` is not written `LikeThis`", ty.name);
        found.push(LintHit::new(&ty.name, message, "another spelling"));
    }
}

pub(super) static INPUT_NAME: Rule = Rule {
    id: "input-name",
    summary: "The name of an input ends in `Input`, and no other does.",
    reason: "The object `Deceased` and the input `DeceasedInput` exist side by side; the name says which is sent.",
    check: input_name,
};

fn input_name(sdl: &Sdl, found: &mut Vec<LintHit>) {
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

pub(super) static FIELD_NAME: Rule = Rule {
    id: "field-name",
    summary: "The name of a field, an argument or a directive is written `likeThis`.",
    reason: "It is what every GraphQL schema does; a name is what people type.",
    check: field_name,
};

fn field_name(sdl: &Sdl, found: &mut Vec<LintHit>) {
    let mut ask = |coordinate: String, name: &str| {
        if !is_camel(name) {
            let message = format!("the name of `{coordinate}` is not written `likeThis`");
            found.push(LintHit::new(coordinate, message, "another spelling"));
        }
    };
    for ty in &sdl.schema.types {
        ty.fields().iter().for_each(|field| ask(coordinate::member(&ty.name, &field.name), &field.name));
    }
    for directive in &sdl.schema.directives {
        ask(coordinate::directive(&directive.name), &directive.name);
    }
    for value in input_values(&sdl.schema) {
        ask(value.coordinate, &value.input.name);
    }
}

pub(super) static ENUM_VALUE_NAME: Rule = Rule {
    id: "enum-value-name",
    summary: "The name of an enum value is written `LIKE_THIS`.",
    reason: "It is what every GraphQL schema does, and tells a value from a field at a glance.",
    check: enum_value_name,
};

fn enum_value_name(sdl: &Sdl, found: &mut Vec<LintHit>) {
    for ty in &sdl.schema.types {
        let Kind::Enum { values } = &ty.kind else { continue };
        for value in values.iter().filter(|value| !is_screaming(&value.name)) {
            let coordinate = coordinate::member(&ty.name, &value.name);
            let message = format!("the name of `{coordinate}` is not written `LIKE_THIS`");
            found.push(LintHit::new(coordinate, message, "another spelling"));
        }
    }
}

/// `WebhookSubscription`, `URL`
fn is_pascal(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `externalDossierId`
fn is_camel(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `CARDS_CREATE`
fn is_screaming(name: &str) -> bool {
    let known = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let tidy = !name.ends_with('_') && !name.contains("__");
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(known) && tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_is_recognised() {
        assert!(is_pascal("URL") && is_pascal("CardCreateInput") && !is_pascal("card") && !is_pascal("Card_Input"));
        assert!(is_camel("id") && is_camel("photoUrl") && !is_camel("PhotoUrl") && !is_camel("photo_url"));
        assert!(is_screaming("JSON") && is_screaming("A_1") && !is_screaming("Json") && !is_screaming("A__B"));
    }
}
