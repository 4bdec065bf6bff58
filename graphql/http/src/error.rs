//! The error of a whole request, and its response.

use dated_graphql::{Refusal, RequestError};
use http::header::CONTENT_TYPE;
use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::{Value, json};

use super::media_type::ResponseType;
use super::response::Response;

/// The error of a whole request: a status, and an error in the form of GraphQL.
///
/// ```
/// use dated_graphql_http::{HttpError, StatusCode, header};
///
/// let error = HttpError::new(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", "Send a token.");
/// let error = error.with_header(header::WWW_AUTHENTICATE, "Bearer");
/// assert_eq!(error.status(), 401);
/// ```
#[derive(Clone, Debug)]
pub struct HttpError {
    status: StatusCode,
    errors: Value,
    header: Option<(HeaderName, HeaderValue)>,
    /// Whether the request is well-formed, and its document, operation or variables are refused.
    of_document: bool,
}

impl HttpError {
    /// Returns an error with its code, and its message for users.
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        let errors = json!([{ "message": message.into(), "extensions": { "code": code } }]);
        Self { status, errors, header: None, of_document: false }
    }

    pub(super) fn bad_request(status: StatusCode, message: impl Into<String>) -> Self {
        Self::new(status, "BAD_REQUEST", message)
    }

    /// Sets the header of the response.
    #[must_use]
    pub fn with_header(self, name: HeaderName, value: &'static str) -> Self {
        Self { header: Some((name, HeaderValue::from_static(value))), ..self }
    }

    /// Returns the status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the response. In `application/json`, the status of a well-formed request is 200.
    pub(super) fn into_response(self, response_type: ResponseType) -> Response {
        let mut response = Response::new(json!({ "errors": self.errors }).to_string().into());
        if !self.of_document || response_type == ResponseType::GraphqlResponse {
            *response.status_mut() = self.status;
        }
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(response_type.content_type()));
        response.headers_mut().extend(self.header);
        response
    }
}

impl From<RequestError> for HttpError {
    fn from(error: RequestError) -> Self {
        Self::bad_request(StatusCode::BAD_REQUEST, error.to_string())
    }
}

/// The engine refused the document, its operation or its variables.
impl From<Refusal> for HttpError {
    fn from(refusal: Refusal) -> Self {
        let errors = refusal.errors.iter().map(|error| {
            let locations = error.locations.iter().map(|at| json!({ "line": at.line, "column": at.column }));
            let mut written = json!({ "message": error.detail, "extensions": { "code": error.code } });
            if !error.locations.is_empty() {
                written["locations"] = locations.collect();
            }
            written
        });
        Self { status: StatusCode::BAD_REQUEST, errors: errors.collect(), header: None, of_document: true }
    }
}
