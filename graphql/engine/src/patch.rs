//! The three states of an input field: absent, null, value.

/// An input field that may be left out.
///
/// An absent field keeps the stored value, null clears it, a value replaces it.
///
/// ```
/// use dated_graphql::Patch;
///
/// let mut stored = Some("old");
/// Patch::Absent.apply_to(&mut stored);
/// assert_eq!(stored, Some("old"));
/// Patch::Value("new").apply_to(&mut stored);
/// assert_eq!(stored, Some("new"));
/// Patch::Null.apply_to(&mut stored);
/// assert_eq!(stored, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field was not sent.
    #[default]
    Absent,
    /// The field was sent as an explicit null.
    Null,
    /// The field was sent with a value.
    Value(T),
}

impl<T> Patch<T> {
    /// The value, if there is one.
    pub fn value(self) -> Option<T> {
        match self {
            Patch::Value(value) => Some(value),
            Patch::Absent | Patch::Null => None,
        }
    }

    /// The patch with a reference to the value.
    pub fn as_ref(&self) -> Patch<&T> {
        match self {
            Patch::Absent => Patch::Absent,
            Patch::Null => Patch::Null,
            Patch::Value(value) => Patch::Value(value),
        }
    }

    /// Maps the value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Patch::Absent => Patch::Absent,
            Patch::Null => Patch::Null,
            Patch::Value(value) => Patch::Value(f(value)),
        }
    }

    /// Applies the patch to a stored field.
    pub fn apply_to(self, stored: &mut Option<T>) {
        match self {
            Patch::Absent => {}
            Patch::Null => *stored = None,
            Patch::Value(value) => *stored = Some(value),
        }
    }
}

/// A scalar of an input that is a string with a format, such as a date.
///
/// ```
/// use dated_graphql::Parsed;
///
/// let day: Parsed<u8> = Parsed::Invalid("soon".to_owned());
/// assert_eq!(day.ok(), Err("soon".to_owned()));
/// ```
///
/// A string that does not parse is not a GraphQL error: the resolver can refuse it with the path of the field, so that a client
/// shows the message next to the field.
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
