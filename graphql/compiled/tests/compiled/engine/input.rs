//! Input values, and the Rust types that they are parsed into.

#[derive(Clone, Debug, PartialEq)]
pub enum Patch<T> {
    Absent,
    Null,
    Value(T),
}

impl<T> Patch<T> {
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Patch::Absent => Patch::Absent,
            Patch::Null => Patch::Null,
            Patch::Value(value) => Patch::Value(change(value)),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Boolean(bool),
    Int(i32),
    String(&'static str),
    Enum(&'static str),
    List(Vec<Value>),
    Object(Vec<(&'static str, Value)>),
}

#[derive(Debug)]
pub struct InputError;

pub trait Enum: Sized + Copy + 'static {
    const VALUES: &'static [(&'static str, Self)];

    fn name(self) -> &'static str;
}

pub trait Input: Sized {
    fn parse(value: Value) -> Result<Self, InputError>;

    fn absent() -> Result<Self, InputError> {
        Err(InputError)
    }
}

pub struct InputFields(Vec<(&'static str, Value)>);

impl InputFields {
    pub fn new(value: Value) -> Result<Self, InputError> {
        let Value::Object(fields) = value else { return Err(InputError) };
        Ok(Self(fields))
    }

    pub fn take<T: Input>(&mut self, name: &'static str) -> Result<T, InputError> {
        let value = self.0.iter().position(|(known, _)| *known == name).map(|at| self.0.swap_remove(at).1);
        value.map_or_else(T::absent, T::parse)
    }
}

macro_rules! input {
    ($($ty:ty: $pattern:pat => $value:expr;)*) => {$(
        impl Input for $ty {
            fn parse(value: Value) -> Result<Self, InputError> {
                let $pattern = value else { return Err(InputError) };
                Ok($value)
            }
        })*
    };
}
input! { String: Value::String(text) => text.to_owned(); i32: Value::Int(n) => n; bool: Value::Boolean(b) => b; }

impl<T: Enum> Input for T {
    fn parse(value: Value) -> Result<Self, InputError> {
        let Value::Enum(name) = value else { return Err(InputError) };
        let found = T::VALUES.iter().find(|(known, value)| *known == name && value.name() == name);
        found.map(|(_, value)| *value).ok_or(InputError)
    }
}

impl<T: Input> Input for Option<T> {
    fn parse(value: Value) -> Result<Self, InputError> {
        if let Value::Null = value { Ok(None) } else { T::parse(value).map(Some) }
    }

    fn absent() -> Result<Self, InputError> {
        Ok(None)
    }
}

impl<T: Input> Input for Patch<T> {
    fn parse(value: Value) -> Result<Self, InputError> {
        if let Value::Null = value { Ok(Patch::Null) } else { T::parse(value).map(Patch::Value) }
    }

    fn absent() -> Result<Self, InputError> {
        Ok(Patch::Absent)
    }
}

impl<T: Input> Input for Vec<T> {
    fn parse(value: Value) -> Result<Self, InputError> {
        let Value::List(items) = value else { return Err(InputError) };
        items.into_iter().map(T::parse).collect()
    }
}
