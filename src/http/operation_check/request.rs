//! The body of a check: `{from?, documents: [{name, text}]}`.

use serde::Deserialize;

use crate::base::limits;
use crate::http::api_error::ApiError;

/// Documents that are checked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckRequest {
    /// The version that they were written for.
    pub from: Option<String>,
    pub documents: Vec<SentDocument>,
}

/// A document, with the name of its file or another that its sender knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentDocument {
    pub name: String,
    pub text: String,
}

impl CheckRequest {
    /// Parses a body.
    ///
    /// # Errors
    /// 400 for another form, no document, more than [`limits::CHECKED_DOCUMENTS_MAX`], or a name that is too long.
    pub(super) fn parse(body: &[u8]) -> Result<Self, ApiError> {
        // A derived struct would read its fields from an array too.
        if body.trim_ascii_start().starts_with(b"[") {
            return Err(ApiError::check_invalid("The body is not a check: send an object with the key \"documents\"."));
        }
        let request: Self = serde_json::from_slice(body)
            .map_err(|error| ApiError::check_invalid(format!("The body is not a check: {error}.")))?;
        let name_max = limits::CHECKED_DOCUMENT_NAME_CHARS_MAX;
        if request.documents.iter().any(|document| document.name.chars().count() > name_max) {
            return Err(ApiError::check_invalid(format!("A name of a document has more than {name_max} characters.")));
        }
        match request.documents.len() {
            0 => Err(ApiError::check_invalid("Send at least one document.")),
            count if count > limits::CHECKED_DOCUMENTS_MAX => {
                let max = limits::CHECKED_DOCUMENTS_MAX;
                Err(ApiError::check_invalid(format!("The request has {count} documents; at most {max} are allowed.")))
            }
            _ => Ok(request),
        }
    }
}
