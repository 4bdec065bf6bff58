//! Coerced values of arguments and variables.

/// A coerced value with defaults applied. Names are those of the schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Int(i32),
    Float(f64),
    /// A `String`, an `ID` or a custom scalar.
    String(String),
    Enum(&'static str),
    List(Vec<Value>),
    /// The fields that are given or have a default, in schema order.
    Object(Vec<(&'static str, Value)>),
}

impl Value {
    /// Estimates the heap size.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Value::String(text) => text.capacity(),
            Value::List(items) => items.iter().map(|item| size_of::<Self>() + item.bytes()).sum(),
            Value::Object(fields) => fields.iter().map(|(_, value)| size_of::<(&str, Self)>() + value.bytes()).sum(),
            _ => 0,
        }
    }
}

/// The coerced variables of a request, in the order of their definitions; `None` is absent.
pub(super) type Variables = [Option<Value>];
