//! The errors of a whole request, and their response.
//!
//! Made by every step of a partner request. Source: decisions H1, H3 to H6; specification, section 7.3.

use std::borrow::Cow;
use std::time::Duration;

use dated_graphql::{Location, Refusal, RequestError};
use dated_graphql_http::ResponseType;
use http::header::{ACCEPT_ENCODING, ALLOW, CONNECTION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;

use super::throttle::{self, CostReport};
use crate::base::{ErrorChain, Timestamp, limits};
use crate::model::code;
use crate::model::messages;
use crate::response::{self, Response, ResponseExt as _};
use crate::store::StoreError;

/// Why a request was refused as a whole.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    /// Whether the engine refused the document: the status is then 200 under `application/json`.
    of_document: bool,
    errors: Vec<ErrorItem>,
    headers: Vec<(HeaderName, HeaderValue)>,
    cost: Option<CostReport>,
}

#[derive(Debug)]
struct ErrorItem {
    code: &'static str,
    /// In Dutch, for a user.
    message: Cow<'static, str>,
    /// In English, for a developer.
    detail: String,
    locations: Vec<Location>,
    extensions: Option<VersionExtensions>,
}

impl ApiError {
    fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
        detail: impl Into<String>,
    ) -> Self {
        let error =
            ErrorItem { code, message: message.into(), detail: detail.into(), locations: Vec::new(), extensions: None };
        Self { status, of_document: false, errors: vec![error], headers: Vec::new(), cost: None }
    }

    fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn retry_after(self, time: Duration) -> Self {
        self.with(RETRY_AFTER, time.as_secs())
    }

    /// 404: the path names an unknown version. Lists the available versions.
    pub fn version_not_found(requested: &str, available: Vec<&'static str>) -> Self {
        // Truncated, so that the response does not echo arbitrary input.
        let requested: String = requested.chars().take(32).collect();
        let detail = format!("There is no version `{requested}`. {}", list_versions(&available));
        let message = messages::version_not_found(&available);
        let mut error = Self::new(StatusCode::NOT_FOUND, code::VERSION_NOT_FOUND, message, detail);
        let latest = available.last().copied();
        error.errors[0].extensions = Some(VersionExtensions { requested, available, latest });
        error
    }

    /// 404: the path names a candidate, and the caller has no test key.
    pub fn version_is_candidate(requested: &'static str, available: Vec<&'static str>) -> Self {
        let message = messages::version_is_candidate(&available);
        let detail = format!("Version `{requested}` is a candidate: test keys only. {}", list_versions(&available));
        let mut error = Self::version_not_found(requested, available);
        (error.errors[0].message, error.errors[0].detail) = (message.into(), detail);
        error
    }

    /// 404: the path names a retired version.
    pub fn version_retired(requested: &'static str, since: Timestamp, available: Vec<&'static str>) -> Self {
        let (message, day) = (messages::version_retired(&available), since.utc().date_naive());
        let detail = format!("Version `{requested}` was retired on {day}. {}", list_versions(&available));
        let mut error = Self::version_not_found(requested, available);
        (error.errors[0].message, error.errors[0].detail) = (message.into(), detail);
        error
    }

    /// 400: the request does not name its host, or names it twice.
    pub fn host() -> Self {
        let detail = "Send one Host header.";
        Self::new(StatusCode::BAD_REQUEST, code::BAD_REQUEST, messages::HOST_INVALID, detail)
    }

    /// 404: an unknown path of the API.
    pub fn not_found() -> Self {
        let detail = "There is nothing at this path. The endpoint is /partner/api/<version>/graphql.";
        Self::new(StatusCode::NOT_FOUND, code::BAD_REQUEST, messages::NOT_FOUND, detail)
    }

    /// 405; `allowed` is the `Allow` header.
    pub fn method_not_allowed(allowed: &'static str) -> Self {
        let message = messages::method_not_allowed(allowed);
        let detail = format!("This path answers {} only.", allowed.replace(", ", " and "));
        Self::new(StatusCode::METHOD_NOT_ALLOWED, code::BAD_REQUEST, message, detail)
            .with(ALLOW, HeaderValue::from_static(allowed))
    }

    /// 401: the same for a missing, malformed, unknown, revoked and expired token.
    pub fn unauthenticated() -> Self {
        let detail = "Send a valid access token in the header X-Service-Access-Token.";
        // RFC 9110, section 15.5.2: every 401 has a challenge.
        let challenge = HeaderValue::from_static("X-Service-Access-Token realm=\"partner api\"");
        Self::new(StatusCode::UNAUTHORIZED, code::UNAUTHENTICATED, messages::UNAUTHENTICATED, detail)
            .with(WWW_AUTHENTICATE, challenge)
    }

    /// 403: the partner is blocked.
    pub fn access_denied() -> Self {
        let detail = "This partner account is blocked. The operator can lift the block.";
        Self::new(StatusCode::FORBIDDEN, code::ACCESS_DENIED, messages::ACCESS_DENIED, detail)
    }

    pub fn not_acceptable() -> Self {
        let detail = "Accept application/graphql-response+json or application/json, in UTF-8.";
        Self::new(StatusCode::NOT_ACCEPTABLE, code::BAD_REQUEST, messages::NOT_ACCEPTABLE, detail)
    }

    pub fn unsupported_media_type() -> Self {
        let detail = "Send the body as application/json, in UTF-8.";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code::BAD_REQUEST, messages::UNSUPPORTED_MEDIA_TYPE, detail)
    }

    pub fn unsupported_content_coding() -> Self {
        let detail = "Send the body without compression, and without Content-Encoding.";
        // RFC 9110, section 15.5.16: the header tells it from another media type.
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code::BAD_REQUEST, messages::UNSUPPORTED_CODING, detail)
            .with(ACCEPT_ENCODING, HeaderValue::from_static("identity"))
    }

    /// 501 (RFC 9112, section 6.1).
    pub fn unknown_transfer_coding() -> Self {
        let detail = "Send the body with Content-Length, or with Transfer-Encoding: chunked and no other coding.";
        Self::new(StatusCode::NOT_IMPLEMENTED, code::BAD_REQUEST, messages::UNSUPPORTED_CODING, detail)
            .with(CONNECTION, HeaderValue::from_static("close"))
    }

    pub fn body_too_large(bytes_max: usize) -> Self {
        let detail = format!("The body may hold {bytes_max} bytes.");
        // The rest of the body is not read (`content.rs`), so the connection cannot be used again.
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, code::BAD_REQUEST, messages::body_too_large(bytes_max), detail)
            .with(CONNECTION, HeaderValue::from_static("close"))
    }

    pub fn body_unreadable() -> Self {
        Self::new(StatusCode::BAD_REQUEST, code::BAD_REQUEST, messages::BAD_REQUEST, "The body did not arrive whole.")
            .with(CONNECTION, HeaderValue::from_static("close"))
    }

    pub fn body_too_slow() -> Self {
        let detail = format!("The body did not arrive within {} s.", limits::BODY_READ.as_secs());
        Self::new(StatusCode::REQUEST_TIMEOUT, code::BAD_REQUEST, messages::REQUEST_TIME_OUT, detail)
            .with(CONNECTION, HeaderValue::from_static("close"))
    }

    pub fn key_invalid() -> Self {
        let max = limits::IDEMPOTENCY_KEY_CHARS_MAX;
        let detail = format!("Send Idempotency-Key once, with 1 to {max} visible ASCII characters (0x21 to 0x7E).");
        Self::new(StatusCode::BAD_REQUEST, code::IDEMPOTENCY_KEY_INVALID, messages::IDEMPOTENCY_KEY_INVALID, detail)
    }

    pub fn key_reused() -> Self {
        let detail = "A different request with this Idempotency-Key succeeded. To learn the id of its card, send that request \
                      unchanged, and then the changed data with cardUpdate. For another card use another key.";
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, code::IDEMPOTENCY_KEY_REUSED, messages::IDEMPOTENCY_KEY_REUSED, detail)
    }

    pub fn key_in_progress() -> Self {
        let detail = "The first request with this Idempotency-Key is still running; its answer can be had soon.";
        let message = messages::IDEMPOTENCY_KEY_IN_PROGRESS;
        Self::new(StatusCode::CONFLICT, code::IDEMPOTENCY_KEY_IN_PROGRESS, message, detail)
            .retry_after(limits::RETRY_IN_PROGRESS)
    }

    /// 429: the bucket of the partner does not hold enough points.
    pub fn throttled(cost: CostReport, wait: Duration) -> Self {
        let detail = "The points of this account are used up for now; `extensions.cost` says what the request costs.";
        let status = StatusCode::TOO_MANY_REQUESTS;
        let wait = Duration::from_secs(wait.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX).max(1));
        let error = Self::new(status, code::THROTTLED, messages::THROTTLED, detail).retry_after(wait);
        Self { cost: Some(cost), ..error }
    }

    /// 400: the request costs more than the bucket can hold.
    pub fn query_too_expensive(points: u32, points_max: u32) -> Self {
        let detail = format!("The request costs {points} points; at most {points_max} can be spent at once.");
        let error = Self::new(StatusCode::BAD_REQUEST, code::MAX_COST_EXCEEDED, messages::TOO_MANY_POINTS, detail);
        Self { of_document: true, ..error }
    }

    /// 500: a failure of the service. The cause is logged.
    pub fn internal() -> Self {
        let detail = "The cause is logged under this request id.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, code::INTERNAL_SERVER_ERROR, messages::INTERNAL, detail)
    }

    /// 503: a temporary failure of the service.
    pub fn unavailable() -> Self {
        let detail = "The service cannot answer at the moment. Send the request again later.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code::UNAVAILABLE, messages::UNAVAILABLE, detail)
            .retry_after(limits::RETRY_UNAVAILABLE)
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The code of the first error, for the log.
    pub fn code(&self) -> &'static str {
        self.errors[0].code
    }

    /// Makes the response, with the error code for the log.
    pub fn into_response(self, response_type: ResponseType, request_id: &str) -> Response {
        let status = if self.of_document && response_type == ResponseType::Json { StatusCode::OK } else { self.status };
        let code = self.code();
        let errors = self.errors.iter().map(|error| error.write(request_id)).collect();
        let body =
            serde_json::to_vec(&Body { errors, extensions: self.cost.map(|cost| throttle::Extensions { cost }) })
                .expect("texts and numbers can be written");
        let response = response::new(status, response_type.content_type(), body).with_code(code);
        self.headers.into_iter().fold(response, |response, (name, value)| response.with(name, value))
    }
}

impl ErrorItem {
    fn write<'a>(&'a self, request_id: &'a str) -> WrittenError<'a> {
        let extensions =
            Extensions { code: self.code, request_id, detail: &self.detail, more: self.extensions.as_ref() };
        let locations = self.locations.iter().map(|at| WrittenLocation { line: at.line, column: at.column });
        WrittenError { message: &self.message, locations: locations.collect(), extensions }
    }
}

/// The body of the response. Fields are written in this order.
#[derive(Serialize)]
struct Body<'a> {
    errors: Vec<WrittenError<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<throttle::Extensions>,
}

#[derive(Serialize)]
struct WrittenError<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<WrittenLocation>,
    extensions: Extensions<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Extensions<'a> {
    code: &'static str,
    request_id: &'a str,
    detail: &'a str,
    #[serde(flatten)]
    more: Option<&'a VersionExtensions>,
}

/// The extensions of an error about a version.
#[derive(Debug, Serialize)]
struct VersionExtensions {
    requested: String,
    available: Vec<&'static str>,
    /// Null if no version is published.
    latest: Option<&'static str>,
}

#[derive(Serialize)]
struct WrittenLocation {
    line: u32,
    column: u32,
}

/// The available versions in a sentence.
fn list_versions(available: &[&str]) -> String {
    match available {
        [] => "No version is available.".to_owned(),
        available => format!("Available: {}.", available.join(", ")),
    }
}

/// The body is not a GraphQL request: 400 under both media types.
impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        let (code, message) = match error {
            RequestError::Batch => (code::BAD_REQUEST, messages::BATCH_REFUSED),
            RequestError::NotJson(_) | RequestError::Shape(_) => (code::BAD_REQUEST, messages::BAD_REQUEST),
            RequestError::PersistedQuery => (code::PERSISTED_QUERY_NOT_SUPPORTED, messages::BAD_REQUEST),
        };
        Self::new(StatusCode::BAD_REQUEST, code, message, sentence(error.to_string()))
    }
}

/// The engine refused the document, its operation or its variables.
impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let errors = refusal.errors.into_iter().map(|error| ErrorItem {
            code: error.code,
            message: match &error.message {
                Some(message) => messages::engine_message(message).into(),
                None => message_of(error.code).into(),
            },
            detail: error.detail,
            locations: error.locations,
            extensions: None,
        });
        Self {
            status: StatusCode::BAD_REQUEST,
            of_document: true,
            errors: errors.collect(),
            headers: Vec::new(),
            cost: None,
        }
    }
}

/// The message for a user.
fn message_of(refused: &str) -> &'static str {
    match refused {
        code::GRAPHQL_PARSE_FAILED => messages::GRAPHQL_PARSE_FAILED,
        code::GRAPHQL_VALIDATION_FAILED => messages::GRAPHQL_VALIDATION_FAILED,
        code::OPERATION_RESOLUTION_FAILURE => messages::OPERATION_RESOLUTION_FAILURE,
        code::MAX_COST_EXCEEDED => messages::TOO_MANY_FIELDS,
        _ => messages::BAD_REQUEST,
    }
}

/// Makes a sentence of the text of an error.
fn sentence(mut text: String) -> String {
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text.push('.');
    text
}

/// The store failed outside of an operation. The cause is logged here.
impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => {
                tracing::warn!(error = %ErrorChain(&error), "the store is unavailable");
                Self::unavailable()
            }
            StoreError::Failed(_) => {
                tracing::error!(error = %ErrorChain(&error), "the store failed");
                Self::internal()
            }
        }
    }
}
