//! A string-shaped scalar of an input: what it says, or the text that says nothing (decisions V1).

/// A scalar such as `URL` or `Date` as it arrived.
///
/// A string that does not parse is no GraphQL error: it reaches the operation, which refuses it as the user error
/// `INVALID` with its field path, so that a partner can show the message beside the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parsed<T> {
    /// The text has the scalar's format.
    Value(T),
    /// The text has not; it is kept as it came.
    Text(String),
}

impl<T> Parsed<T> {
    /// The value, or the text that is none.
    pub fn ok(self) -> Result<T, String> {
        match self {
            Parsed::Value(value) => Ok(value),
            Parsed::Text(text) => Err(text),
        }
    }
}
