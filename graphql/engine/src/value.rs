//! Coerced values of arguments and variables.

use serde_json::Value as Json;

/// A coerced value with defaults applied. Names are as in the schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Int(i32),
    Float(f64),
    /// A `String`, an `ID`, or a string of a custom scalar.
    String(String),
    /// Any other value of a custom scalar.
    Custom(Box<Json>),
    Enum(&'static str),
    List(Vec<Value>),
    /// The fields that are given or have a default, in schema order.
    Object(Vec<(&'static str, Value)>),
}

impl Value {
    /// Returns the value of a custom scalar.
    pub(super) fn custom(json: Json) -> Self {
        match json {
            Json::String(text) => Value::String(text),
            json => Value::Custom(Box::new(json)),
        }
    }

    /// Converts the value to JSON.
    pub fn into_json(self) -> Json {
        match self {
            Value::Null => Json::Null,
            Value::Boolean(value) => value.into(),
            Value::Int(n) => n.into(),
            Value::Float(n) => n.into(),
            Value::String(text) => text.into(),
            Value::Custom(json) => *json,
            Value::Enum(name) => name.into(),
            Value::List(items) => items.into_iter().map(Value::into_json).collect(),
            Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, value.into_json())).collect(),
        }
    }

    /// Returns the number of lists and objects in each other.
    pub(super) fn levels(&self) -> usize {
        match self {
            Value::List(items) => items.iter().map(|item| item.levels() + 1).max().unwrap_or_default(),
            Value::Object(fields) => fields.iter().map(|(_, value)| value.levels() + 1).max().unwrap_or_default(),
            _ => 0,
        }
    }

    /// Returns the number of values in the value, with itself.
    pub(super) fn count(&self) -> usize {
        match self {
            Value::List(items) => 1 + items.iter().map(Value::count).sum::<usize>(),
            Value::Object(fields) => 1 + fields.iter().map(|(_, value)| value.count()).sum::<usize>(),
            _ => 1,
        }
    }

    /// Estimates the heap size.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Value::String(text) => text.capacity(),
            Value::Custom(json) => size_of::<Json>() + json_bytes(json),
            Value::List(items) => items.iter().map(|item| size_of::<Self>() + item.bytes()).sum(),
            Value::Object(fields) => fields.iter().map(|(_, value)| size_of::<(&str, Self)>() + value.bytes()).sum(),
            _ => 0,
        }
    }
}

/// Estimates the heap size of JSON.
pub(super) fn json_bytes(json: &Json) -> usize {
    match json {
        Json::String(text) => text.capacity(),
        Json::Array(items) => items.iter().map(|item| size_of::<Json>() + json_bytes(item)).sum(),
        Json::Object(entries) => {
            let entry = |(name, value): (&String, _)| size_of::<(String, Json)>() + name.capacity() + json_bytes(value);
            entries.iter().map(entry).sum()
        }
        _ => 0,
    }
}

/// The coerced variables of a request, in the order of their definitions; `None` is absent.
pub(super) type Variables = [Option<Value>];
