//! The body of a request: `{query, operationName?, variables?, extensions?}`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value as Json};

/// A request as it was sent; its document is not parsed yet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with the key \"query\"")]
pub struct Request<'a> {
    /// Borrowed from the body if it holds no escapes.
    #[serde(borrow)]
    pub(super) query: Cow<'a, str>,
    pub(super) operation_name: Option<String>,
    /// Of values with the same name, the last one counts.
    #[serde(default, deserialize_with = "object_or_null")]
    pub(super) variables: Map<String, Json>,
    /// Read for its shape only: the engine has no extensions.
    #[serde(rename = "extensions")]
    _extensions: Option<HashMap<String, IgnoredAny>>,
}

/// Why a body is not a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The body is not JSON.
    #[error("the body is not JSON: {0}")]
    NotJson(String),
    /// The body is a list of requests.
    #[error("the body is a JSON array; batches are not supported, send one request at a time")]
    Batch,
    /// The body is JSON of another shape.
    #[error("the body is not a GraphQL request: {0}")]
    Shape(String),
}

impl<'a> Request<'a> {
    /// Parses a body.
    pub fn parse(body: &'a [u8]) -> Result<Self, RequestError> {
        // A derived struct would read its fields from an array too.
        let is_array = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        if is_array {
            return Err(refusal(body, None));
        }
        // The encoding is checked once for the whole body, not for each string.
        let text = std::str::from_utf8(body).map_err(|error| RequestError::NotJson(error.to_string()))?;
        serde_json::from_str(text).map_err(|error| refusal(body, Some(error)))
    }
}

/// Parses the body again without a shape, to tell a wrong shape from wrong JSON.
#[cold]
fn refusal(body: &[u8], error: Option<serde_json::Error>) -> RequestError {
    if let Err(syntax) = serde_json::from_slice::<IgnoredAny>(body) {
        return RequestError::NotJson(syntax.to_string());
    }
    let has_list = |body: Json| body.get("variables").is_some_and(Json::is_array);
    if error.is_some() && serde_json::from_slice(body).is_ok_and(has_list) {
        let hint = "\"variables\" is an array; send an object, which is {} when there are none (in PHP: new stdClass)";
        return RequestError::Shape(hint.to_owned());
    }
    match error {
        None => RequestError::Batch,
        Some(error) if error.is_data() => RequestError::Shape(error.to_string()),
        Some(error) => RequestError::NotJson(error.to_string()),
    }
}

fn object_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Json>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
