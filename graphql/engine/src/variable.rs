//! The variables of a request, coerced to their declared types before anything runs (GraphQL specification, 6.1.2).

use std::fmt::Write as _;

use schema::model::Wrap;
use serde_json::{Map, Value as Json};

use super::code;
use super::coordinate::CoordinateSet;
use super::definition::{InputObject, Kind};
use super::error::{Message, Refusal, RefusalError};
use super::literal::{CoercionError, expectation, unknown_field};
use super::model::Model;
use super::plan::Plan;
use super::value::Value;

/// The coerced variables of a request.
pub(super) struct Coerced {
    /// In the order of the plan's variables; `None` is absent.
    pub values: Vec<Option<Value>>,
    /// The coordinates of the sent input fields and enum values.
    pub used: CoordinateSet,
}

/// Coerces the sent variables.
pub(super) fn coerce(model: &Model, plan: &Plan, sent: &Map<String, Json>) -> Result<Coerced, Refusal> {
    let mut coercion = Coercion { model, used: CoordinateSet::default() };
    let mut errors = vec![];
    let mut values = Vec::with_capacity(plan.variables.len());
    for variable in &plan.variables {
        let (path, detail) = match sent.get(&*variable.name) {
            Some(given) => match coercion.wrapped(&variable.ty.wrap, &variable.ty.name, given) {
                Ok(value) => {
                    values.push(Some(value));
                    continue;
                }
                Err(wrong) => invalid(&variable.name, &wrong),
            },
            None if variable.default.is_none() && variable.ty.is_non_null() => {
                let (name, ty) = (&variable.name, &variable.ty);
                (name.to_string(), format!("Variable \"${name}\" of required type \"{ty}\" was not provided."))
            }
            None => {
                values.push(variable.default.clone());
                continue;
            }
        };
        let error = RefusalError::new(code::BAD_USER_INPUT, detail).with_message(Message::BadUserInput { path });
        errors.push(error.at(variable.location));
    }
    let used = coercion.used;
    if errors.is_empty() { Ok(Coerced { values, used }) } else { Err(Refusal::of(errors, 0)) }
}

/// The path of a wrong value, and what is wrong with it.
fn invalid(variable: &str, wrong: &CoercionError) -> (String, String) {
    let mut at = variable.to_owned();
    for segment in &wrong.path {
        let _ = write!(at, ".{segment}");
    }
    let detail = format!("Variable \"${variable}\" got an invalid value at \"{at}\": {}", wrong.what);
    (at, detail)
}

struct Coercion<'a> {
    model: &'a Model,
    used: CoordinateSet,
}

impl Coercion<'_> {
    fn wrapped(&mut self, wrap: &[Wrap], name: &str, given: &Json) -> Result<Value, CoercionError> {
        let (non_null, wrap) = match wrap {
            [Wrap::NonNull, inner @ ..] => (true, inner),
            inner => (false, inner),
        };
        match (given, wrap) {
            (Json::Null, _) if non_null => Err(CoercionError::new("must not be null")),
            (Json::Null, _) => Ok(Value::Null),
            (Json::Array(items), [Wrap::List, inner @ ..]) => {
                let item = |(i, item)| self.wrapped(inner, name, item).map_err(|w| w.under(usize::to_string(&i)));
                items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Value::List)
            }
            (one, [Wrap::List, inner @ ..]) => Ok(Value::List(vec![self.wrapped(inner, name, one)?])),
            (one, _) => self.named(name, one),
        }
    }

    fn named(&mut self, name: &str, given: &Json) -> Result<Value, CoercionError> {
        let value = match (name, given) {
            ("ID" | "String", Json::String(s)) => Some(Value::String(s.clone())),
            ("ID", Json::Number(n)) if n.is_f64() => n.as_f64().and_then(whole).map(|n| Value::String(n.to_string())),
            ("ID", Json::Number(n)) => Some(Value::String(n.to_string())),
            ("Int", Json::Number(n)) => n.as_f64().and_then(whole).map(Value::Int),
            ("Float", Json::Number(n)) => n.as_f64().map(Value::Float),
            ("Boolean", Json::Bool(b)) => Some(Value::Boolean(*b)),
            ("ID" | "String" | "Int" | "Float" | "Boolean", _) => None,
            _ => return self.schema_named(name, given),
        };
        value.ok_or_else(|| CoercionError::new(expectation(self.model, name, &shown(given))))
    }

    /// Coerces to a type of the schema: an enum, an input type or a custom scalar.
    fn schema_named(&mut self, name: &str, given: &Json) -> Result<Value, CoercionError> {
        let value = match (self.model.ty(name).map(|ty| &ty.kind), given) {
            (Some(Kind::Input(input)), Json::Object(entries)) => return self.object(input, name, entries),
            (Some(Kind::Input(_)), other) => {
                return Err(CoercionError::new(format!("{name} expects an object, not {}", shown(other))));
            }
            (Some(Kind::Enum { values }), Json::String(text)) => {
                values.iter().find(|value| value.name == text).map(|value| {
                    self.used.insert(value.coordinate);
                    Value::Enum(value.name)
                })
            }
            (Some(Kind::Enum { .. }), _) => None,
            (_, given) => Some(Value::custom(given.clone())).filter(|value| (self.model.accepts)(name, value)),
        };
        value.ok_or_else(|| CoercionError::new(expectation(self.model, name, &shown(given))))
    }

    fn object(&mut self, input: &InputObject, name: &str, entries: &Map<String, Json>) -> Result<Value, CoercionError> {
        let mut fields = Vec::with_capacity(entries.len().min(input.fields.len()));
        for field in &input.fields {
            match entries.get(field.name) {
                Some(given) => {
                    self.used.insert(field.coordinate);
                    let value = self.wrapped(&field.ty.wrap, field.ty.name, given);
                    fields.push((field.name, value.map_err(|w| w.under(field.name))?));
                }
                None if field.required() => {
                    return Err(CoercionError::new(format!("is required ({})", field.ty)).under(field.name));
                }
                None => fields.extend(field.default_value().map(|default| (field.name, default.clone()))),
            }
        }
        if let Some(unknown) = entries.keys().find(|key| input.field(key).is_none()) {
            return Err(unknown_field(input, name, unknown));
        }
        if input.one_of && !matches!(&fields[..], [(_, value)] if *value != Value::Null) {
            return Err(CoercionError::new(format!("{name} expects exactly one field, which is not null")));
        }
        Ok(Value::Object(fields))
    }
}

/// Returns a number without a fraction as an integer: JSON does not distinguish 5 from 5.0.
fn whole(n: f64) -> Option<i32> {
    (n.fract() == 0.0 && n >= f64::from(i32::MIN) && n <= f64::from(i32::MAX)).then_some(n as i32)
}

/// Returns the value as error messages show it, without the content of lists and objects.
fn shown(given: &Json) -> String {
    match given {
        Json::Null => "null".into(),
        Json::Bool(b) => b.to_string(),
        Json::Number(n) => n.to_string(),
        Json::String(s) => format!("\"{s}\""),
        Json::Array(_) => "a list".into(),
        Json::Object(_) => "an object".into(),
    }
}
