//! User errors: data for the partner, shown beside a field (specification, section 7).

/// The reasons of `CardUserErrorCode` and `WebhookSubscriptionUserErrorCode` together (sections 7.1 and 7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserErrorCode {
    Blank,
    Invalid,
    Taken,
    NotFound,
    Immutable,
    Unprocessable,
}

/// What is wrong with the input of a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserError {
    pub code: UserErrorCode,
    /// Path to the failing field, outermost first; never empty.
    pub field: Vec<&'static str>,
    /// Dutch, for a person.
    pub message: String,
}

impl UserError {
    pub fn new(code: UserErrorCode, field: &[&'static str], message: impl Into<String>) -> Self {
        Self { code, field: field.to_vec(), message: message.into() }
    }
}
