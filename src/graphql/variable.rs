//! The variables of a request, coerced to their declared types before anything runs (GraphQL specification, 6.1.2).
//!
//! A string where a string-shaped scalar is declared always fits: what it says is for the operation (decisions V1).

use std::borrow::Cow;
use std::fmt::Write as _;

use codegen::model::Wrap;

use super::code;
use super::error::{Refusal, RefusalError};
use super::literal::{Wrong, expectation, unknown_field};
use super::model::{InputObject, Model};
use super::plan::Plan;
use super::request::Json;
use super::value::Value;

/// Coerces what was sent; the result stands in the order of the plan's variables.
pub(super) fn coerce(
    model: &Model,
    plan: &Plan,
    sent: &[(Cow<'_, str>, Json<'_>)],
) -> Result<Vec<Option<Value>>, Refusal> {
    let mut errors = vec![];
    let mut values = Vec::with_capacity(plan.variables.len());
    for variable in &plan.variables {
        // The last one counts, as in every JSON reader that a partner is likely to use.
        let given = sent.iter().rev().find(|(name, _)| **name == *variable.name).map(|(_, value)| value);
        let detail = match given {
            Some(given) => match wrapped(model, &variable.ty.wrap, &variable.ty.name, given) {
                Ok(value) => {
                    values.push(Some(value));
                    continue;
                }
                Err(wrong) => invalid(&variable.name, &wrong),
            },
            None if variable.default.is_none() && variable.ty.is_non_null() => {
                format!("Variable \"${}\" of required type \"{}\" was not provided.", variable.name, variable.ty)
            }
            None => {
                values.push(variable.default.clone());
                continue;
            }
        };
        errors.push(RefusalError::new(code::BAD_USER_INPUT, detail).at(variable.location));
    }
    if errors.is_empty() { Ok(values) } else { Err(Refusal::of(errors)) }
}

fn invalid(variable: &str, wrong: &Wrong) -> String {
    let mut at = variable.to_owned();
    for segment in &wrong.path {
        let _ = write!(at, ".{segment}");
    }
    format!("Variable \"${variable}\" got an invalid value at \"{at}\": {}", wrong.what)
}

fn wrapped(model: &Model, wrap: &[Wrap], name: &str, given: &Json<'_>) -> Result<Value, Wrong> {
    let (non_null, wrap) = match wrap {
        [Wrap::NonNull, inner @ ..] => (true, inner),
        inner => (false, inner),
    };
    match (given, wrap) {
        (Json::Null, _) if non_null => Err(Wrong::new("must not be null")),
        (Json::Null, _) => Ok(Value::Null),
        (Json::List(items), [Wrap::List, inner @ ..]) => {
            let item = |(i, item)| wrapped(model, inner, name, item).map_err(|w| w.under(usize::to_string(&i)));
            items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Value::List)
        }
        (one, [Wrap::List, inner @ ..]) => Ok(Value::List(vec![wrapped(model, inner, name, one)?])),
        (one, _) => named(model, name, one),
    }
}

fn named(model: &Model, name: &str, given: &Json<'_>) -> Result<Value, Wrong> {
    let value = match (name, given) {
        ("ID" | "String", Json::String(s)) => Some(Value::String(s.clone().into_owned())),
        ("ID", Json::Int(n)) => Some(Value::String(n.to_string())),
        ("ID", Json::Large(n)) => Some(Value::String(n.to_string())),
        ("Int" | "ID", Json::Float(n)) => whole(*n).map(|n| match name {
            "Int" => Value::Int(n),
            _ => Value::String(n.to_string()),
        }),
        ("Int", Json::Int(n)) => i32::try_from(*n).ok().map(Value::Int),
        ("Float", Json::Int(n)) => Some(Value::Float(*n as f64)),
        ("Float", Json::Large(n)) => Some(Value::Float(*n as f64)),
        ("Float", Json::Float(n)) => Some(Value::Float(*n)),
        ("Boolean", Json::Boolean(b)) => Some(Value::Boolean(*b)),
        ("ID" | "String" | "Int" | "Float" | "Boolean", _) => None,
        _ => return schema_named(model, name, given),
    };
    value.ok_or_else(|| Wrong::new(expectation(model, name, &shown(given))))
}

/// A number without a fraction: JSON does not tell 5 from 5.0.
fn whole(n: f64) -> Option<i32> {
    (n.fract() == 0.0 && n >= f64::from(i32::MIN) && n <= f64::from(i32::MAX)).then_some(n as i32)
}

/// A type of the schema's own: an enum, an input type or a custom scalar.
fn schema_named(model: &Model, name: &str, given: &Json<'_>) -> Result<Value, Wrong> {
    if let Some(input) = model.input(name) {
        return match given {
            Json::Object(entries) => object(model, input, name, entries),
            other => Err(Wrong::new(format!("{name} expects an object, not {}", shown(other)))),
        };
    }
    let value = match (given, model.enum_values(name)) {
        (Json::String(s), Some(values)) => values.iter().find(|v| v.name == **s).map(|v| Value::Enum(&v.name)),
        (Json::String(s), None) => Some(Value::String(s.clone().into_owned())),
        _ => None,
    };
    value.ok_or_else(|| Wrong::new(expectation(model, name, &shown(given))))
}

fn object(
    model: &Model,
    input: &InputObject,
    name: &str,
    entries: &[(Cow<'_, str>, Json<'_>)],
) -> Result<Value, Wrong> {
    let mut fields = Vec::with_capacity(entries.len().min(input.fields.len()));
    for field in &input.fields {
        match entries.iter().rev().find(|(key, _)| **key == *field.name) {
            Some((_, given)) => {
                let value = wrapped(model, &field.ty.wrap, &field.ty.name, given);
                fields.push((field.name, value.map_err(|w| w.under(field.name))?));
            }
            None if field.required() => {
                return Err(Wrong::new(format!("is required ({})", field.ty)).under(field.name));
            }
            None => fields.extend(field.default_value(model).map(|default| (field.name, default))),
        }
    }
    if let Some((unknown, _)) = entries.iter().find(|(key, _)| !input.fields.iter().any(|f| *f.name == **key)) {
        return Err(unknown_field(input, name, unknown));
    }
    if input.one_of && !matches!(&fields[..], [(_, value)] if *value != Value::Null) {
        return Err(Wrong::new(format!("{name} expects exactly one field, which is not null")));
    }
    Ok(Value::Object(fields))
}

/// The value as an error message shows it; never a whole large body.
fn shown(given: &Json<'_>) -> String {
    match given {
        Json::Null => "null".into(),
        Json::Boolean(b) => b.to_string(),
        Json::Int(n) => n.to_string(),
        Json::Large(n) => n.to_string(),
        Json::Float(n) => n.to_string(),
        Json::String(s) => format!("\"{s}\""),
        Json::List(_) => "a list".into(),
        Json::Object(_) => "an object".into(),
    }
}
