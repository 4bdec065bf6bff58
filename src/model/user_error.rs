//! User errors: data for the partner, shown next to a field (specification, section 7).

/// The codes of `CardUserErrorCode` and `WebhookSubscriptionUserErrorCode` together (sections 7.1 and 7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserErrorCode {
    /// A required value is empty.
    Blank,
    /// The format, the length or the meaning of the value is wrong.
    Invalid,
    /// Another object has the value.
    Taken,
    /// Does not exist, or not for the caller.
    NotFound,
    /// The field cannot change in the current status.
    Immutable,
    /// The input is valid, and cannot be carried out now.
    Unprocessable,
}

/// An error in the input of a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserError {
    pub code: UserErrorCode,
    /// The path of the field, outermost first; empty if the mutation has no arguments.
    pub field: Vec<&'static str>,
    /// In Dutch, for a person.
    pub message: String,
}

impl UserError {
    pub fn new(code: UserErrorCode, field: &[&'static str], message: impl Into<String>) -> Self {
        Self { code, field: field.to_vec(), message: message.into() }
    }
}
