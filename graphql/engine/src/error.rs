//! Errors: a request is refused as a whole before it runs, or a field fails while it runs.

use std::any::Any;
use std::fmt;
use std::panic::resume_unwind;

pub use dated_graphql_syntax::Location;

use super::code;
use super::error_chain::ErrorChain;

/// The number of errors in the response to a refused request.
pub const REFUSAL_ERRORS_MAX: usize = 20;
/// The Unicode characters of the English detail of an error, which quotes the document.
pub const REFUSAL_DETAIL_CHARS_MAX: usize = 500;

/// The message of an error for the user of a client. [`RequestContext::message`](super::RequestContext::message) returns it in the
/// language of the service, `Display` in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The text of a resolver.
    Text(String),
    /// An argument or a variable has a wrong value at `path`; the reason is in English.
    BadUserInput { path: String, reason: String },
    /// The document nests too deep.
    NestedTooDeep,
    /// The mutation has more than `max` fields at its root.
    TooManyMutations { max: usize },
    /// The service failed.
    Internal,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::BadUserInput { path, reason } => write!(f, "The value of {path} is not valid: {reason}."),
            Self::NestedTooDeep => {
                f.write_str("The query is nested too deep. Ask for fewer levels of fields in one request.")
            }
            Self::TooManyMutations { max } => write!(f, "Send at most {max} mutations in one request."),
            Self::Internal => f.write_str("Something went wrong on our side. Try again later."),
        }
    }
}

/// Why a request was refused; the server writes the response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request is refused: {}", .errors.iter().map(|e| &*e.detail).collect::<Vec<_>>().join(" "))]
pub struct Refusal {
    /// At least one.
    pub errors: Vec<RefusalError>,
}

/// An error of a refused request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalError {
    /// One of [`code`].
    pub code: &'static str,
    /// For users, if it says more than the code does.
    pub message: Option<Message>,
    /// In English, for developers.
    pub detail: String,
    /// The locations in the document; may be empty.
    pub locations: Vec<Location>,
}

impl Refusal {
    /// Keeps the first errors. `more` errors were omitted before.
    pub(super) fn from_errors(mut errors: Vec<RefusalError>, more: usize) -> Self {
        let more = more + errors.len().saturating_sub(REFUSAL_ERRORS_MAX);
        errors.truncate(REFUSAL_ERRORS_MAX);
        if let Some(last) = errors.last_mut().filter(|_| more > 0) {
            last.detail.push_str(&format!(" There are {more} more errors."));
        }
        Self { errors }
    }
}

impl RefusalError {
    pub(super) fn new(code: &'static str, detail: impl Into<String>) -> Self {
        Self { code, message: None, detail: shorten(detail.into()), locations: vec![] }
    }

    pub(super) fn at(mut self, place: Location) -> Self {
        self.locations.push(place);
        self
    }

    pub(super) fn with_message(mut self, message: Message) -> Self {
        self.message = Some(message);
        self
    }
}

/// Truncates a long text, which quotes the document.
fn shorten(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(REFUSAL_DETAIL_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
}

impl From<RefusalError> for Refusal {
    fn from(error: RefusalError) -> Self {
        Self { errors: vec![error] }
    }
}

impl From<Box<RefusalError>> for Refusal {
    fn from(error: Box<RefusalError>) -> Self {
        (*error).into()
    }
}

/// Why a field has no value: the error of a resolver, and an entry of `errors` in the response.
///
/// ```
/// use dated_graphql::{FieldError, code};
///
/// fn parse_stars(text: &str) -> Result<u8, FieldError> {
///     let refusal = |_| FieldError::new(code::BAD_USER_INPUT, "Send a number.").with_detail(format!("`{text}`"));
///     text.parse().map_err(refusal)
/// }
/// assert_eq!(parse_stars("many").unwrap_err().code, "BAD_USER_INPUT");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {}", .detail.clone().unwrap_or_else(|| .message.to_string()))]
pub struct FieldError {
    /// One of [`code`].
    pub code: &'static str,
    /// For users.
    pub message: Message,
    /// In English, for developers.
    pub detail: Option<String>,
    /// Overrides the location of the field.
    pub(super) location: Option<Location>,
}

impl FieldError {
    /// Returns an error with its text for users.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self::with(code, Message::Text(message.into()))
    }

    pub(super) fn with(code: &'static str, message: Message) -> Self {
        Self { code, message, detail: None, location: None }
    }

    /// Adds an English text for developers.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Returns the error of a resolver that is not written yet.
    pub fn not_implemented() -> Self {
        Self::new(code::NOT_IMPLEMENTED, "This field is not implemented yet.")
    }

    /// Ends the resolver that is running with this error, from a method that returns no `Result`. Needs a program that unwinds when it
    /// panics, which is the default.
    pub fn unwind(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// Returns the error of a resolver that panicked, or that ended with [`FieldError::unwind`].
    pub(super) fn from_panic(payload: Box<dyn Any + Send>) -> Self {
        payload.downcast().map_or_else(|_| Self::with(code::INTERNAL_SERVER_ERROR, Message::Internal), |error| *error)
    }

    /// Logs a failure with its causes, and returns an error that does not reveal them.
    pub fn internal(source: impl std::error::Error) -> Self {
        tracing::error!(error = %ErrorChain(&source), "a field could not be resolved");
        Self::with(code::INTERNAL_SERVER_ERROR, Message::Internal)
    }
}
