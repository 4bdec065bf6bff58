//! The response of an API, with its whole body.

use bytes::Bytes;
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use http_body_util::Full;

/// A response of an API.
pub type Response = http::Response<Full<Bytes>>;

/// Returns a response of status 200.
pub(super) fn text(content_type: &'static str, body: impl Into<Bytes>) -> Response {
    let mut response = Response::new(Full::new(body.into()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
