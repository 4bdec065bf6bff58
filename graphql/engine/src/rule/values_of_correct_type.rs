//! Literals are valid for the types of their positions.
//!
//! <https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type>,
//! <https://spec.graphql.org/September2025/#sec-Input-Object-Field-Names>,
//! <https://spec.graphql.org/September2025/#sec-Input-Object-Required-Fields>

use super::did_you_mean;
use crate::ast::{Literal, ObjectField, Value};
use crate::definition::{InputObject, Kind};
use crate::literal;
use crate::model::Model;
use crate::small_map::SmallMap;
use crate::visit::{Input, Rule, RuleContext};

#[derive(Default)]
pub(super) struct ValuesOfCorrectType;

impl<'a> Rule<'a> for ValuesOfCorrectType {
    fn value(&mut self, cx: &mut RuleContext<'a>, value: &'a Value<'a>, input: Option<Input<'a>>) {
        if let Some(input) = input {
            check(cx, value, input);
        }
    }
}

/// Checks a value and the values inside it. The recursion is bounded by the nesting limit.
fn check<'a>(cx: &mut RuleContext<'a>, value: &'a Value<'a>, input: Input<'a>) {
    match &value.literal {
        Literal::Variable(_) => {}
        Literal::Null if input.is_non_null() => {
            cx.errors.add(&[value.at], || format!("Expected value of type \"{}\", found null.", input));
        }
        Literal::Null => {}
        Literal::List(items) if input.is_list() => items.iter().for_each(|item| check(cx, item, input.item())),
        Literal::Object(fields) => match cx.model.input(input.name) {
            Some(object) => check_object(cx, value, fields, object, input),
            None => leaf(cx, value, input),
        },
        _ => leaf(cx, value, input),
    }
}

fn check_object<'a>(
    cx: &mut RuleContext<'a>,
    value: &'a Value<'a>,
    fields: &'a [ObjectField<'a>],
    object: &'static InputObject,
    input: Input<'a>,
) {
    let mut given = SmallMap::default();
    for field in fields {
        // Another rule reports repeated names; the last value counts, as in graphql-js.
        *given.or_insert_with(field.name.text, || &field.value.literal) = &field.value.literal;
    }
    for required in object.fields.iter().filter(|field| field.required()) {
        if given.get(required.name).is_none() {
            cx.errors.add(&[value.at], || {
                let (of, name, ty) = (input.name, required.name, &required.ty);
                format!("Field \"{of}.{name}\" of required type \"{ty}\" was not provided.")
            });
        }
    }
    if object.one_of {
        match &given.entries[..] {
            [(name, Literal::Null)] => {
                cx.errors.add(&[value.at], || format!("Field \"{}.{name}\" must be non-null.", input.name));
            }
            [_] => {}
            _ => cx
                .errors
                .add(&[value.at], || format!("OneOf Input Object \"{}\" must specify exactly one key.", input.name)),
        }
    }
    for field in fields {
        let name = field.name;
        match input.field(cx.model, name.text) {
            Some(place) => check(cx, &field.value, place),
            None => cx.errors.add(&[name.at], || {
                let hint = did_you_mean("", name.text, object.fields.iter().map(|field| field.name));
                format!("Field \"{}\" is not defined by type \"{}\".{hint}", name.text, input.name)
            }),
        }
    }
}

/// Checks a value of a scalar or enum type.
fn leaf(cx: &mut RuleContext<'_>, value: &Value<'_>, input: Input<'_>) {
    if !is_of(cx.model, input.name, &value.literal) {
        let model = cx.model;
        cx.errors.add(&[value.at], || wrong(model, &value.literal, input));
    }
}

/// Returns whether a literal is a valid value of a scalar or enum.
fn is_of(model: &Model, name: &str, literal: &Literal<'_>) -> bool {
    match (name, literal) {
        ("Int", Literal::Int(digits)) => digits.parse::<i32>().is_ok(),
        ("Float", Literal::Int(_)) => true,
        ("Float", Literal::Float(number)) => number.parse::<f64>().is_ok_and(f64::is_finite),
        ("Boolean", Literal::Boolean(_)) | ("ID" | "String", Literal::String(_)) | ("ID", Literal::Int(_)) => true,
        ("Int" | "Float" | "Boolean" | "ID" | "String", _) => false,
        _ => match (model.ty(name).map(|ty| &ty.kind), literal) {
            (Some(Kind::Scalar { .. }), literal) => literal::accepts(model, name, literal),
            (_, Literal::Enum(value)) => model.enum_value(name, value).is_some(),
            _ => false,
        },
    }
}

#[cold]
fn wrong(model: &'static Model, literal: &Literal<'_>, input: Input<'_>) -> String {
    let shown = shorten(literal.to_string());
    let name = input.name;
    match (name, literal) {
        ("Int", Literal::Int(_)) => format!("Int cannot represent non 32-bit signed integer value: {shown}"),
        ("Int", _) => format!("Int cannot represent non-integer value: {shown}"),
        ("Float", _) => format!("Float cannot represent non numeric value: {shown}"),
        ("String", _) => format!("String cannot represent a non string value: {shown}"),
        ("Boolean", _) => format!("Boolean cannot represent a non boolean value: {shown}"),
        ("ID", _) => format!("ID cannot represent a non-string and non-integer value: {shown}"),
        _ => match (model.enum_values(name), literal) {
            (Some(values), literal) => {
                let near = did_you_mean("the enum value ", &shown, values.iter().map(|value| value.name));
                match literal {
                    Literal::Enum(_) => format!("Value \"{shown}\" does not exist in \"{name}\" enum.{near}"),
                    _ => format!("Enum \"{name}\" cannot represent non-enum value: {shown}.{near}"),
                }
            }
            // A list is checked item by item, and an item's type has no outer non-null here.
            (None, Literal::List(_)) => format!("Expected value of type \"{name}\", found {shown}."),
            _ => format!("Expected value of type \"{}\", found {shown}.", input),
        },
    }
}

/// Truncates a long value quoted in a message.
fn shorten(text: String) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
