//! A value of an input type, after coercion: what arguments and variables hold.

/// A coerced value: of its type, with defaults filled in. Names are the schema's own.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Int(i32),
    Float(f64),
    /// A `String`, an `ID`, or a custom scalar, all of which are strings here.
    String(String),
    Enum(&'static str),
    List(Vec<Value>),
    /// Only the fields that were given or have a default; in the schema's order.
    Object(Vec<(&'static str, Value)>),
}

impl Value {
    /// About how much memory it takes beside itself.
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
pub type Variables = [Option<Value>];
