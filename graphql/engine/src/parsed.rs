//! A scalar of an input that is a string on the wire, parsed or invalid.

/// A scalar such as `URL` or `Date` of an input.
///
/// A string that does not parse is not a GraphQL error: the operation refuses it with the user error `INVALID` and the path
/// of the field, so that a partner can show the message next to the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parsed<T> {
    /// The text has the scalar's format.
    Value(T),
    /// The text, which does not have the format.
    Invalid(String),
}

impl<T> Parsed<T> {
    /// The value, or the invalid text.
    pub fn ok(self) -> Result<T, String> {
        match self {
            Parsed::Value(value) => Ok(value),
            Parsed::Invalid(text) => Err(text),
        }
    }
}
