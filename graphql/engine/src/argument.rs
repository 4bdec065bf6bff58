//! Converts coerced values into the Rust types of arguments.

use chrono::NaiveDate;
use serde_json::Value as Json;

use super::code;
use super::error::{FieldError, Message};
use super::patch::{Parsed, Patch};
use super::plan::{Field, Given, PartialValue, VariableDefinition};
use super::value::{Value, Variables};

/// Why a value cannot be converted, for example a null variable in a non-null position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{what}", .path.join("."), if .path.is_empty() { "" } else { " " })]
pub struct InputError {
    path: Vec<String>,
    what: String,
    /// The position of the variable that is null where it must not be.
    variable: Option<usize>,
}

impl InputError {
    pub fn new(what: impl Into<String>) -> Self {
        Self { path: vec![], what: what.into(), variable: None }
    }

    fn null_variable(index: usize) -> Self {
        Self { variable: Some(index), ..Self::new("must not be null") }
    }

    #[must_use]
    pub fn under(mut self, name: &str) -> Self {
        self.path.insert(0, name.to_owned());
        self
    }
}

/// A type that arguments and input fields have.
///
/// ```
/// use dated_graphql::{Input, InputError, Value};
///
/// /// A custom scalar: two numbers.
/// struct Point(f64, f64);
///
/// impl Input for Point {
///     fn parse(value: Value) -> Result<Self, InputError> {
///         let (x, y) = serde_json::from_value(value.into_json()).map_err(|error| InputError::new(error.to_string()))?;
///         Ok(Self(x, y))
///     }
/// }
/// ```
pub trait Input: Sized {
    fn parse(value: Value) -> Result<Self, InputError>;

    /// Returns the value of an absent argument or field.
    fn absent() -> Result<Self, InputError> {
        Err(InputError::new("is required"))
    }

    /// Returns whether the type of a custom scalar accepts a value. A request with another value is refused.
    fn accepts(value: &Value) -> bool {
        Self::parse(value.clone()).is_ok()
    }
}

/// An enum of the schema.
pub trait Enum: Copy + 'static {
    /// Every value with its name.
    const VALUES: &'static [(&'static str, Self)];

    /// Returns the name of this value in quotes, as JSON.
    fn json(self) -> &'static str;

    /// Returns the name of this value.
    fn name(self) -> &'static str {
        self.json().trim_matches('"')
    }
}

/// The fields of an input object, taken one by one.
pub struct InputFields(Vec<(&'static str, Value)>);

impl InputFields {
    pub fn new(value: Value) -> Result<Self, InputError> {
        match value {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(InputError::new("is not an object")),
        }
    }

    /// Takes the field called `name`. Coercion has applied defaults.
    pub fn take<T: Input>(&mut self, name: &'static str) -> Result<T, InputError> {
        match self.0.iter().position(|(n, _)| *n == name) {
            Some(at) => T::parse(self.0.swap_remove(at).1),
            None => T::absent(),
        }
        .map_err(|e| e.under(name))
    }
}

impl Field {
    /// Returns the argument called `name`.
    pub(super) fn argument<T: Input>(
        &self,
        name: &'static str,
        variables: &Variables,
        definitions: &[VariableDefinition],
    ) -> Result<T, FieldError> {
        let argument = self.arguments.iter().find(|argument| argument.name == name);
        let value = argument.map_or(Ok(None), |argument| argument.given.value(variables));
        let parsed = value.and_then(|value| value.map_or_else(T::absent, T::parse));
        parsed.map_err(|error| {
            let error = error.under(name);
            let variable = error.variable.and_then(|at| definitions.get(at));
            let null = variable.map(|variable| format!(", and variable \"${}\" is null", variable.name));
            let null = null.unwrap_or_default();
            let message = Message::BadUserInput { path: error.path.join("."), reason: format!("{}{null}", error.what) };
            let detail = format!("Argument {error}{null}.");
            let mut error = FieldError::with(code::BAD_USER_INPUT, message).with_detail(detail);
            error.location = argument.and_then(|argument| argument.location);
            error
        })
    }
}

impl Given {
    /// Returns the value in this request; `None` if it is absent.
    fn value(&self, variables: &Variables) -> Result<Option<Value>, InputError> {
        match self {
            Given::Constant(value) => Ok(Some(value.clone())),
            Given::Variable { index, default, non_null } => match variables[*index].as_ref().or(default.as_ref()) {
                Some(Value::Null) if *non_null => Err(InputError::null_variable(*index)),
                value => Ok(value.cloned()),
            },
            Given::Partial(template) => template.value(variables),
        }
    }
}

impl PartialValue {
    pub(super) fn value(&self, variables: &Variables) -> Result<Option<Value>, InputError> {
        Ok(Some(match self {
            PartialValue::Constant(value) => value.clone(),
            PartialValue::Variable { index, non_null } => match &variables[*index] {
                Some(Value::Null) if *non_null => return Err(InputError::null_variable(*index)),
                value => return Ok(value.clone()),
            },
            PartialValue::List(items) => {
                let item = |(i, item): (usize, &PartialValue)| match item.value(variables) {
                    // An absent item is null.
                    Ok(None) if item.non_null() => Err(InputError::new("must not be null").under(&i.to_string())),
                    Ok(value) => Ok(value.unwrap_or(Value::Null)),
                    Err(e) => Err(e.under(&i.to_string())),
                };
                Value::List(items.iter().enumerate().map(item).collect::<Result<_, _>>()?)
            }
            PartialValue::Object(fields) => {
                let mut given = Vec::with_capacity(fields.len());
                for (name, field, default) in fields {
                    // A field whose variable is absent is absent.
                    match field.value(variables).map_err(|e| e.under(name))?.or_else(|| default.clone()) {
                        Some(value) => given.push((*name, value)),
                        None if field.non_null() => return Err(InputError::new("is required").under(name)),
                        None => {}
                    }
                }
                Value::Object(given)
            }
            PartialValue::Custom(json) => return Ok(json.value(variables).map(|json| Value::Custom(Box::new(json)))),
        }))
    }

    fn non_null(&self) -> bool {
        matches!(self, PartialValue::Variable { non_null: true, .. })
    }
}

impl Input for String {
    fn parse(value: Value) -> Result<Self, InputError> {
        match value {
            Value::String(s) => Ok(s),
            _ => Err(InputError::new("is not a string")),
        }
    }

    fn accepts(value: &Value) -> bool {
        matches!(value, Value::String(_))
    }
}

impl Input for bool {
    fn parse(value: Value) -> Result<Self, InputError> {
        let parsed = match value {
            Value::Boolean(b) => Some(b),
            Value::Custom(json) => json.as_bool(),
            _ => None,
        };
        parsed.ok_or_else(|| InputError::new("is not a boolean"))
    }
}

impl Input for i32 {
    fn parse(value: Value) -> Result<Self, InputError> {
        match value {
            Value::Int(n) => Ok(n),
            value => i64::parse(value)?.try_into().map_err(|_| InputError::new("is not an integer of 32 bits")),
        }
    }
}

impl Input for i64 {
    fn parse(value: Value) -> Result<Self, InputError> {
        let parsed = match value {
            Value::Custom(json) => json.as_i64(),
            _ => None,
        };
        parsed.ok_or_else(|| InputError::new("is not an integer"))
    }
}

impl Input for f64 {
    fn parse(value: Value) -> Result<Self, InputError> {
        let parsed = match value {
            Value::Float(n) => Some(n),
            Value::Custom(json) => json.as_f64(),
            _ => None,
        };
        parsed.ok_or_else(|| InputError::new("is not a number"))
    }
}

/// A custom scalar that accepts any JSON.
impl Input for Json {
    fn parse(value: Value) -> Result<Self, InputError> {
        Ok(value.into_json())
    }

    fn accepts(_: &Value) -> bool {
        true
    }
}

/// A custom scalar that is a string: parsed, or kept as text if it is invalid ([`Parsed`]).
pub trait TextScalar: Sized {
    /// Parses the text; `None` if it is invalid.
    fn read(text: &str) -> Option<Self>;
}

impl<T: TextScalar> Input for Parsed<T> {
    fn parse(value: Value) -> Result<Self, InputError> {
        let text = String::parse(value)?;
        Ok(T::read(&text).map_or(Parsed::Invalid(text), Parsed::Value))
    }

    fn accepts(value: &Value) -> bool {
        String::accepts(value)
    }
}

impl TextScalar for NaiveDate {
    /// `YYYY-MM-DD` only: chrono also accepts `2026-1-2` and years of five digits.
    fn read(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let shaped = bytes.len() == 10
            && bytes.iter().enumerate().all(|(i, b)| if matches!(i, 4 | 7) { *b == b'-' } else { b.is_ascii_digit() });
        if shaped { text.parse().ok() } else { None }
    }
}

impl<T: Input> Input for Option<T> {
    fn parse(value: Value) -> Result<Self, InputError> {
        match value {
            Value::Null => Ok(None),
            value => T::parse(value).map(Some),
        }
    }

    fn absent() -> Result<Self, InputError> {
        Ok(None)
    }
}

impl<T: Input> Input for Patch<T> {
    fn parse(value: Value) -> Result<Self, InputError> {
        match value {
            Value::Null => Ok(Patch::Null),
            value => T::parse(value).map(Patch::Value),
        }
    }

    fn absent() -> Result<Self, InputError> {
        Ok(Patch::Absent)
    }
}

impl<T: Input> Input for Vec<T> {
    fn parse(value: Value) -> Result<Self, InputError> {
        match value {
            Value::List(items) => {
                let item = |(i, item)| T::parse(item).map_err(|e| e.under(&usize::to_string(&i)));
                items.into_iter().enumerate().map(item).collect()
            }
            _ => Err(InputError::new("is not a list")),
        }
    }
}

impl<T: Enum> Input for T {
    fn parse(value: Value) -> Result<Self, InputError> {
        let Value::Enum(name) = value else { return Err(InputError::new("is not a value of the enum")) };
        let found = T::VALUES.iter().find(|(n, _)| *n == name);
        found.map(|(_, value)| *value).ok_or_else(|| InputError::new("is not a value of the enum"))
    }
}
