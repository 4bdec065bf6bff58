//! The variables of a request, coerced to their declared types before anything runs (GraphQL specification, 6.1.2).
//!
//! They are read from the text of the request straight into values; nothing is made of a variable that is not declared.

use std::fmt::{self, Write as _};

use dated_graphql_syntax::Wrap;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize as _, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};

use super::code;
use super::coordinate::CoordinateSet;
use super::definition::{InputObject, Kind};
use super::error::{Message, Refusal, RefusalError};
use super::json_member::{Name, TakeMember};
use super::literal::{CoercionError, expectation, unknown_field};
use super::model::Model;
use super::plan::{Plan, VariableDefinition};
use super::request::Request;
use super::value::Value;

/// The coerced variables of a request.
pub(super) struct Coerced {
    /// In the order of the plan's variables; `None` is absent.
    pub values: Vec<Option<Value>>,
    /// The coordinates of the sent input fields and enum values.
    pub used: CoordinateSet,
}

/// Coerces the sent variables that the operation declares.
pub(super) fn coerce(model: &Model, plan: &Plan, request: &Request<'_>) -> Result<Coerced, Refusal> {
    let coercion = Coercion { model, used: CoordinateSet::default() };
    let mut taken = Taken { plan, values: vec![None; plan.variables.len()], wrong: vec![], coercion };
    if !plan.variables.is_empty() {
        request.take_variables(&mut taken);
    }
    let Taken { mut values, mut wrong, coercion: Coercion { used, .. }, .. } = taken;
    for (at, variable) in plan.variables.iter().enumerate() {
        if values[at].is_some() || wrong.iter().any(|(wrong, _)| *wrong == at) {
            continue;
        }
        if variable.default.is_none() && variable.ty.is_non_null() {
            let (name, ty) = (&variable.name, &variable.ty);
            let detail = format!("Variable \"${name}\" of required type \"{ty}\" was not provided.");
            wrong.push((at, refuse(variable, name.to_string(), "is required", detail)));
        } else {
            values[at].clone_from(&variable.default);
        }
    }
    if wrong.is_empty() {
        return Ok(Coerced { values, used });
    }
    wrong.sort_by_key(|(at, _)| *at);
    Err(Refusal::from_errors(wrong.into_iter().map(|(_, error)| error).collect(), 0))
}

/// The variables that were taken so far.
struct Taken<'p, 'm> {
    plan: &'p Plan,
    values: Vec<Option<Value>>,
    /// The errors, with the positions of their variables.
    wrong: Vec<(usize, RefusalError)>,
    coercion: Coercion<'m>,
}

impl TakeMember for Taken<'_, '_> {
    fn position(&self, name: &str) -> Option<usize> {
        self.plan.variable(name)
    }

    fn take<'de, A: MapAccess<'de>>(&mut self, at: usize, members: &mut A) -> Result<(), A::Error> {
        let variable = &self.plan.variables[at];
        let ty = Typed { coercion: &mut self.coercion, wrap: &variable.ty.wrap, name: &variable.ty.name };
        let coerced = members.next_value_seed(ty)?;
        self.wrong.retain(|(wrong, _)| *wrong != at);
        self.values[at] = coerced.map_err(|error| self.wrong.push((at, invalid(variable, &error)))).ok();
        Ok(())
    }
}

fn refuse(variable: &VariableDefinition, path: String, reason: &str, detail: String) -> RefusalError {
    let message = Message::BadUserInput { path, reason: reason.to_owned() };
    RefusalError::new(code::BAD_USER_INPUT, detail).with_message(message).at(variable.location)
}

/// Returns the error for a wrong value, with its path.
#[cold]
fn invalid(variable: &VariableDefinition, wrong: &CoercionError) -> RefusalError {
    let name = &variable.name;
    let mut path = name.to_string();
    for segment in &wrong.path {
        let _ = write!(path, ".{segment}");
    }
    let detail = format!("Variable \"${name}\" got an invalid value at \"{path}\": {}", wrong.what);
    refuse(variable, path, &wrong.what, detail)
}

struct Coercion<'m> {
    model: &'m Model,
    used: CoordinateSet,
}

/// Reads JSON as a value of the type `name` in its wrappers. An error of coercion is a value too: what follows it is read.
struct Typed<'c, 'm, 't> {
    coercion: &'c mut Coercion<'m>,
    wrap: &'t [Wrap],
    name: &'t str,
}

type Coercing = Result<Value, CoercionError>;

/// A value as it was sent, which is neither null nor the list or input object of its position.
enum Given<'a> {
    String(&'a str),
    /// Not a string. The content of a list or an object is read for a custom scalar only.
    Json(Json),
}

impl<'de> DeserializeSeed<'de> for Typed<'_, '_, '_> {
    type Value = Coercing;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Coercing, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Typed<'_, '_, '_> {
    type Value = Coercing;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }

    fn visit_unit<E>(self) -> Result<Coercing, E> {
        let is_non_null = self.wrap.first() == Some(&Wrap::NonNull);
        Ok(if is_non_null { Err(CoercionError::new("must not be null")) } else { Ok(Value::Null) })
    }

    fn visit_bool<E>(self, value: bool) -> Result<Coercing, E> {
        Ok(self.single(Given::Json(value.into())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Coercing, E> {
        Ok(self.single(Given::Json(number.into())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Coercing, E> {
        Ok(self.single(Given::Json(number.into())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Coercing, E> {
        Ok(self.single(Given::Json(number.into())))
    }

    fn visit_str<E>(self, text: &str) -> Result<Coercing, E> {
        Ok(self.single(Given::String(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Coercing, A::Error> {
        let Self { coercion, wrap, name } = self;
        let ([Wrap::NonNull, Wrap::List, inner @ ..] | [Wrap::List, inner @ ..]) = wrap else {
            let list = match coercion.is_custom(name) {
                true => Json::deserialize(SeqAccessDeserializer::new(items))?,
                false => skip_items(items).map(|()| Json::Array(vec![]))?,
            };
            return Ok(coercion.named(name, Given::Json(list)));
        };
        let mut values = vec![];
        while let Some(value) = items.next_element_seed(Typed { coercion, wrap: inner, name })? {
            match value {
                Ok(value) => values.push(value),
                Err(wrong) => return skip_items(items).map(|()| Err(wrong.under(values.len().to_string()))),
            }
        }
        Ok(Ok(Value::List(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Coercing, A::Error> {
        if let Some(Kind::Input(input)) = self.coercion.model.ty(self.name).map(|ty| &ty.kind) {
            let object = self.coercion.object(input, self.name, members)?;
            return Ok(object.map(|object| nest(self.wrap, object)));
        }
        let object = match self.coercion.is_custom(self.name) {
            true => Json::deserialize(MapAccessDeserializer::new(members))?,
            false => {
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Json::Object(Map::new())
            }
        };
        Ok(self.single(Given::Json(object)))
    }
}

fn skip_items<'de, A: SeqAccess<'de>>(mut items: A) -> Result<(), A::Error> {
    while items.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Returns the value of a position: in a position for a list, a value that is no list is a list of one (GraphQL specification,
/// section 3.11).
fn nest(wrap: &[Wrap], value: Value) -> Value {
    let lists = wrap.iter().filter(|wrap| **wrap == Wrap::List);
    lists.fold(value, |value, _| Value::List(vec![value]))
}

impl Typed<'_, '_, '_> {
    fn single(self, given: Given<'_>) -> Coercing {
        Ok(nest(self.wrap, self.coercion.named(self.name, given)?))
    }
}

impl Coercion<'_> {
    fn named(&mut self, name: &str, given: Given<'_>) -> Coercing {
        let value = match (name, &given) {
            ("ID" | "String", Given::String(text)) => Some(Value::String((*text).to_owned())),
            ("ID", Given::Json(Json::Number(n))) if n.is_f64() => {
                // As JavaScript writes a whole number; from 1e21 on it would have an exponent. Adding 0 takes the sign of -0.
                let whole = n.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 1e21);
                whole.map(|n| Value::String((n + 0.0).to_string()))
            }
            ("ID", Given::Json(Json::Number(n))) => Some(Value::String(n.to_string())),
            ("Int", Given::Json(Json::Number(n))) => n.as_f64().and_then(whole).map(Value::Int),
            ("Float", Given::Json(Json::Number(n))) => n.as_f64().map(Value::Float),
            ("Boolean", Given::Json(Json::Bool(value))) => Some(Value::Boolean(*value)),
            ("ID" | "String" | "Int" | "Float" | "Boolean", _) => None,
            _ => return self.schema_named(name, given),
        };
        value.ok_or_else(|| self.unexpected(name, &given.into_json()))
    }

    /// Coerces to a type of the schema: an enum, an input type or a custom scalar.
    fn schema_named(&mut self, name: &str, given: Given<'_>) -> Coercing {
        let kind = self.model.ty(name).map(|ty| &ty.kind);
        match (kind, given) {
            (Some(Kind::Input(_)), given) => {
                let given = describe(&given.into_json());
                Err(CoercionError::new(format!("{name} expects an object, not {given}")))
            }
            (Some(Kind::Enum { values }), given) => {
                let named = |text: &str| values.iter().find(|value| value.name == text);
                let value = if let Given::String(text) = given { named(text) } else { None };
                let value = value.ok_or_else(|| self.unexpected(name, &given.into_json()))?;
                self.used.insert(value.coordinate);
                Ok(Value::Enum(value.name))
            }
            (_, given) => {
                let value = match given {
                    Given::String(text) => Value::String(text.to_owned()),
                    Given::Json(json) => Value::custom(json),
                };
                let is_accepted = (self.model.accepts)(name, &value);
                if is_accepted { Ok(value) } else { Err(self.unexpected(name, &value.into_json())) }
            }
        }
    }

    /// Returns whether a type is a custom scalar, which may take any JSON.
    fn is_custom(&self, name: &str) -> bool {
        let is_built_in = matches!(name, "ID" | "String" | "Int" | "Float" | "Boolean");
        !is_built_in && matches!(self.model.ty(name).map(|ty| &ty.kind), Some(Kind::Scalar { .. }))
    }

    #[cold]
    fn unexpected(&self, name: &str, given: &Json) -> CoercionError {
        CoercionError::new(expectation(self.model, name, &describe(given)))
    }

    /// Reads the fields of an input object.
    fn object<'de, A: MapAccess<'de>>(
        &mut self,
        input: &InputObject,
        name: &str,
        mut members: A,
    ) -> Result<Coercing, A::Error> {
        let mut given: Vec<Option<Coercing>> = Vec::new();
        given.resize_with(input.fields.len(), || None);
        let mut unknown = None;
        while let Some(position) = members.next_key_seed(Name(|field: &str| {
            let position = input.fields.iter().position(|known| known.name == field);
            if position.is_none() && unknown.is_none() {
                unknown = Some(unknown_field(input, name, field));
            }
            position
        }))? {
            let Some(at) = position else {
                members.next_value::<IgnoredAny>()?;
                continue;
            };
            let ty = &input.fields[at].ty;
            given[at] = Some(members.next_value_seed(Typed { coercion: self, wrap: &ty.wrap, name: ty.name })?);
        }
        Ok(self.whole_object(input, name, given, unknown))
    }

    /// Adds the defaults to the given fields, and checks the object as a whole. Reports the first error in schema order.
    fn whole_object(
        &mut self,
        input: &InputObject,
        name: &str,
        given: Vec<Option<Coercing>>,
        unknown: Option<CoercionError>,
    ) -> Coercing {
        let mut fields = Vec::with_capacity(given.len());
        for (field, given) in input.fields.iter().zip(given) {
            match given {
                Some(value) => {
                    self.used.insert(field.coordinate);
                    fields.push((field.name, value.map_err(|wrong| wrong.under(field.name))?));
                }
                None if field.required() => {
                    return Err(CoercionError::new(format!("is required ({})", field.ty)).under(field.name));
                }
                None => fields.extend(field.default_value().map(|default| (field.name, default.clone()))),
            }
        }
        if let Some(unknown) = unknown {
            return Err(unknown);
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

impl Given<'_> {
    fn into_json(self) -> Json {
        match self {
            Given::String(text) => text.into(),
            Given::Json(json) => json,
        }
    }
}

/// Returns the value as error messages show it, without the content of lists and objects.
fn describe(given: &Json) -> String {
    match given {
        Json::Null => "null".into(),
        Json::Bool(b) => b.to_string(),
        Json::Number(n) => n.to_string(),
        Json::String(s) => format!("\"{s}\""),
        Json::Array(_) => "a list".into(),
        Json::Object(_) => "an object".into(),
    }
}
