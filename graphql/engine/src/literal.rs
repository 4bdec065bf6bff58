//! Coerces the literals of a valid document to the types of their positions (GraphQL specification, section 3).

use dated_graphql_schema::rule::{DEFAULT_LEVELS_MAX, DEFAULT_VALUES_MAX};
use dated_graphql_syntax::Wrap;
use serde_json::Value as Json;

use super::ast::{Literal, ObjectField};
use super::definition::{InputDefinition, InputObject, Kind};
use super::model::Model;
use super::plan::{PartialJson, PartialValue};
use super::small_map::SmallMap;
use super::value::Value;

/// Why a variable's value is invalid: the path, and the expected type.
#[derive(Debug)]
pub(super) struct CoercionError {
    /// Field names and list positions, outermost first.
    pub path: Vec<String>,
    pub what: String,
}

impl CoercionError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { path: vec![], what: what.into() }
    }

    pub(super) fn under(mut self, segment: impl Into<String>) -> Self {
        self.path.insert(0, segment.into());
        self
    }
}

impl InputDefinition {
    /// Returns the default as a value.
    pub(super) fn default_value(&self) -> Option<&Value> {
        self.default.as_ref()?.value.get()
    }

    /// Coerces the default; returns false if that has to wait for a default that it takes in. There is none that is too large.
    pub(super) fn coerce_default(&self, model: &Model) -> bool {
        let Some(default) = self.default.as_ref().filter(|default| default.value.get().is_none()) else { return true };
        match self.coerce(model, &default.literal, &Positions::default()) {
            Some(PartialValue::Constant(value))
                if value.levels() <= DEFAULT_LEVELS_MAX && value.count() <= DEFAULT_VALUES_MAX =>
            {
                default.value.set(value).is_ok()
            }
            _ => false,
        }
    }

    /// Coerces a literal to its type.
    pub(super) fn coerce(
        &self,
        model: &Model,
        literal: &Literal<'_>,
        variables: &Positions<'_>,
    ) -> Option<PartialValue> {
        coerce(model, &self.ty.wrap, self.ty.name, literal, variables)
    }

    /// Returns whether a value is required.
    pub(super) fn required(&self) -> bool {
        self.ty.is_non_null() && self.default.is_none()
    }
}

/// Maps the names of an operation's variables to their positions.
pub(super) type Positions<'a> = SmallMap<'a, usize>;

/// Coerces a literal, which may contain variables, to the type `name` in its wrappers; `None` if it is invalid.
pub(super) fn coerce(
    model: &Model,
    wrap: &[Wrap],
    name: &str,
    literal: &Literal<'_>,
    variables: &Positions<'_>,
) -> Option<PartialValue> {
    Coercion { model, variables }.wrapped(wrap, name, literal)
}

struct Coercion<'a> {
    model: &'a Model,
    variables: &'a Positions<'a>,
}

impl Coercion<'_> {
    /// The recursion is bounded by the nesting limit.
    fn wrapped(&self, wrap: &[Wrap], name: &str, literal: &Literal<'_>) -> Option<PartialValue> {
        let (non_null, inner) = match wrap {
            [Wrap::NonNull, inner @ ..] => (true, inner),
            inner => (false, inner),
        };
        match (literal, inner) {
            (Literal::Variable(variable), _) => {
                let index = *self.variables.get(variable)?;
                Some(PartialValue::Variable { index, non_null })
            }
            (Literal::Null, _) => (!non_null).then_some(PartialValue::Constant(Value::Null)),
            (Literal::List(items), [Wrap::List, inner @ ..]) => {
                let items = items.iter().map(|item| self.wrapped(inner, name, &item.literal));
                Some(list(items.collect::<Option<_>>()?))
            }
            (one, [Wrap::List, inner @ ..]) => Some(list(vec![self.wrapped(inner, name, one)?])),
            (one, _) => self.named(name, one),
        }
    }

    fn named(&self, name: &str, literal: &Literal<'_>) -> Option<PartialValue> {
        let value = match (name, literal) {
            ("Int", Literal::Int(digits)) => Value::Int(digits.parse().ok()?),
            ("Float", Literal::Int(number) | Literal::Float(number)) => Value::Float(number.parse().ok()?),
            ("Boolean", Literal::Boolean(value)) => Value::Boolean(*value),
            ("ID", Literal::Int(digits)) => Value::String((*digits).to_owned()),
            ("ID" | "String", Literal::String(text)) => Value::String(text.as_ref().to_owned()),
            ("Int" | "Float" | "Boolean" | "ID" | "String", _) => return None,
            _ => match (self.model.ty(name).map(|ty| &ty.kind), literal) {
                (Some(Kind::Input(input)), Literal::Object(fields)) => return self.object(input, fields),
                (Some(Kind::Enum { values }), Literal::Enum(name)) => {
                    Value::Enum(values.iter().find(|value| value.name == *name)?.name)
                }
                (Some(Kind::Input(_) | Kind::Enum { .. }), _) => return None,
                (_, literal) => return Some(custom(literal, self.variables)),
            },
        };
        Some(PartialValue::Constant(value))
    }

    fn object(&self, input: &InputObject, given: &[ObjectField<'_>]) -> Option<PartialValue> {
        let mut by_name = SmallMap::default();
        for field in given {
            by_name.add(field.name.text, &field.value.literal);
        }
        let mut fields = Vec::with_capacity(given.len());
        for field in &input.fields {
            match (by_name.get(field.name), &field.default) {
                (Some(literal), _) => {
                    let value = self.wrapped(&field.ty.wrap, field.ty.name, literal)?;
                    fields.push((field.name, value, field.default_value().cloned()));
                }
                (None, None) if field.ty.is_non_null() => return None,
                (None, None) => {}
                (None, Some(default)) => {
                    fields.push((field.name, PartialValue::Constant(default.value.get()?.clone()), None));
                }
            }
        }
        Some(object(fields))
    }
}

/// Returns whether the custom scalar `name` accepts a literal. Its variables are absent, as in graphql-js.
pub(super) fn accepts(model: &Model, name: &str, literal: &Literal<'_>) -> bool {
    let value = custom(literal, &Positions::default()).value(&[]);
    matches!(value, Ok(Some(value)) if (model.accepts)(name, &value))
}

/// Coerces a literal of a custom scalar to JSON; an enum value is its name.
fn custom(literal: &Literal<'_>, variables: &Positions<'_>) -> PartialValue {
    if let Literal::String(text) = literal {
        return PartialValue::Constant(Value::String(text.as_ref().to_owned()));
    }
    match partial_json(literal, variables) {
        json if json.has_variables() => PartialValue::Custom(json),
        json => PartialValue::Constant(Value::Custom(Box::new(json.value(&[]).unwrap_or_default()))),
    }
}

/// The recursion is bounded by the nesting limit.
fn partial_json(literal: &Literal<'_>, variables: &Positions<'_>) -> PartialJson {
    PartialJson::Constant(match literal {
        Literal::Variable(name) => return PartialJson::Variable(variables.get(name).copied()),
        Literal::List(items) => {
            return PartialJson::List(items.iter().map(|item| partial_json(&item.literal, variables)).collect());
        }
        Literal::Object(fields) => {
            let field = |f: &ObjectField<'_>| (f.name.text.to_owned(), partial_json(&f.value.literal, variables));
            return PartialJson::Object(fields.iter().map(field).collect());
        }
        Literal::Null => Json::Null,
        Literal::Boolean(value) => (*value).into(),
        // A number is written as in JSON; one that JSON cannot hold is null.
        Literal::Int(number) | Literal::Float(number) => serde_json::from_str(number).unwrap_or_default(),
        Literal::String(text) => text.as_ref().into(),
        Literal::Enum(name) => (*name).into(),
    })
}

/// Returns the expected type, in words, instead of `given`.
pub(super) fn expectation(model: &Model, name: &str, given: &str) -> String {
    let given: String =
        if given.chars().count() > 100 { given.chars().take(100).chain("…".chars()).collect() } else { given.into() };
    match model.enum_values(name) {
        Some(values) => {
            let bare = given.trim_matches('"');
            let near = dated_graphql_schema::nearest(bare, values.iter().map(|v| v.name));
            let hint = near.map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
            format!("{given} is no value of {name}.{hint}")
        }
        None => format!("{name} cannot represent {given}"),
    }
}

/// Returns the error for an undefined input field.
pub(super) fn unknown_field(input: &InputObject, name: &str, unknown: &str) -> CoercionError {
    let shown: String = unknown.chars().take(100).collect();
    let near = dated_graphql_schema::nearest(&shown, input.fields.iter().map(|f| f.name));
    let hint = near.map(|n| format!(" Did you mean \"{n}\"?")).unwrap_or_default();
    CoercionError::new(format!("there is no field \"{shown}\" in {name}.{hint}"))
}

/// Returns a list, constant if its items are.
fn list(items: Vec<PartialValue>) -> PartialValue {
    if !items.iter().all(|i| matches!(i, PartialValue::Constant(_))) {
        return PartialValue::List(items);
    }
    let constant = |item| match item {
        PartialValue::Constant(value) => value,
        _ => unreachable!("every item is constant"),
    };
    PartialValue::Constant(Value::List(items.into_iter().map(constant).collect()))
}

/// Returns an object, constant if its fields are.
fn object(fields: Vec<(&'static str, PartialValue, Option<Value>)>) -> PartialValue {
    if !fields.iter().all(|(_, value, _)| matches!(value, PartialValue::Constant(_))) {
        return PartialValue::Object(fields);
    }
    let constant = |(name, value, _)| match value {
        PartialValue::Constant(value) => (name, value),
        _ => unreachable!("every field is constant"),
    };
    PartialValue::Constant(Value::Object(fields.into_iter().map(constant).collect()))
}
