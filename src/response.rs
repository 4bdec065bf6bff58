//! The response of `http` and `web`: a response of the `http` crate with a body that may be read while it is sent, and with a
//! [`RequestLog`] as an extension.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, IF_NONE_MATCH, LOCATION, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use uuid::Uuid;

use crate::media::MediaParts;
use crate::request::RequestHead;

pub(crate) type Response = http::Response<Content>;

/// The body of a response.
#[derive(Debug)]
pub enum Content {
    Whole(Bytes),
    /// The first part of a stored picture, and the parts that are read while the client takes them.
    Stored(Bytes, MediaParts),
}

impl Content {
    pub const EMPTY: Self = Content::Whole(Bytes::new());

    /// The number of bytes that the client receives.
    pub fn size(&self) -> u64 {
        match self {
            Content::Whole(bytes) => bytes.len() as u64,
            Content::Stored(_, parts) => parts.size(),
        }
    }

    /// The memory that this response alone needs. Bytes that are static or shared with other responses need none.
    pub fn reserved_bytes(&self) -> usize {
        match self {
            Content::Whole(bytes) if !bytes.is_unique() => 0,
            Content::Whole(bytes) | Content::Stored(bytes, _) => bytes.len(),
        }
    }
}

/// The log line of a request: an extension of its response. Holds no token and no personal data.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RequestLog {
    pub version: Option<&'static str>,
    pub partner_id: Option<Uuid>,
    /// Whether the key is a test key.
    pub test: bool,
    /// The error code of a refusal.
    pub code: Option<&'static str>,
    pub mutation: bool,
    /// In points.
    pub cost: Option<u32>,
    pub replayed: bool,
}

/// Makes a response with a body.
pub(crate) fn new(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Response {
    let mut response = Response::new(Content::Whole(body.into()));
    *response.status_mut() = status;
    response.with(CONTENT_TYPE, HeaderValue::from_static(content_type))
}

/// Makes a response without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Content::EMPTY);
    *response.status_mut() = status;
    response
}

/// Makes a response of one line of text, for callers that are no clients of the API.
pub(crate) fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response {
    new(status, "text/plain; charset=utf-8", text).with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
}

/// Compresses the body of a response that is made once and sent often.
pub(crate) fn gzip(bytes: &[u8]) -> Bytes {
    gzip_at(Compression::best(), bytes)
}

fn gzip_at(level: Compression, bytes: &[u8]) -> Bytes {
    let mut gzip = GzEncoder::new(Vec::new(), level);
    gzip.write_all(bytes).and_then(|()| gzip.finish()).expect("memory takes all").into()
}

/// Redirects the browser to a GET of `location`, so that going back does not repeat what was sent (RFC 9110, section
/// 15.4.4).
pub(crate) fn see_other(location: &str) -> Response {
    let location = HeaderValue::try_from(location).expect("a path of the service is visible ASCII");
    empty(StatusCode::SEE_OTHER).with(LOCATION, location)
}

/// Whether `If-None-Match` holds `etag`, compared weakly (RFC 9110, section 13.1.2).
pub(crate) fn is_known_to_caller(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let etag = etag.as_bytes();
    headers.get_all(IF_NONE_MATCH).iter().flat_map(|line| line.as_bytes().split(|b| *b == b',')).any(|tag| {
        let tag = tag.trim_ascii();
        tag == b"*" || tag.strip_prefix(b"W/").unwrap_or(tag) == etag
    })
}

/// Methods of a response in the style of a builder.
pub(crate) trait ResponseExt {
    /// Sets a header.
    fn with(self, name: HeaderName, value: HeaderValue) -> Self;

    /// Says whether the body is compressed, and that this depends on the request.
    fn with_coding(self, is_gzip: bool) -> Self;

    /// Compresses the body if the caller accepts gzip. Not for a page that holds a token and something that a request can choose:
    /// its length would tell the token (the attack BREACH).
    fn compressed_for(self, head: &RequestHead<'_>) -> Self;

    /// Sets the error code that the log names.
    fn with_code(self, code: &'static str) -> Self;

    /// Says that the request has changed something, so that this response cannot be replaced.
    fn with_change(self) -> Self;

    /// Removes the body if the request was a `HEAD` (RFC 9110, section 9.3.2).
    fn for_method(self, method: &Method) -> Self;
}

pub(crate) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

impl ResponseExt for Response {
    fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers_mut().insert(name, value);
        self
    }

    fn with_coding(self, is_gzip: bool) -> Self {
        let response = self.with(VARY, HeaderValue::from_static("accept-encoding"));
        if is_gzip { response.with(CONTENT_ENCODING, HeaderValue::from_static("gzip")) } else { response }
    }

    fn compressed_for(self, head: &RequestHead<'_>) -> Self {
        let is_gzip = head.accepts_gzip();
        let compress = |content| match content {
            Content::Whole(bytes) if is_gzip => Content::Whole(gzip_at(Compression::fast(), &bytes)),
            content => content,
        };
        self.map(compress).with_coding(is_gzip)
    }

    fn with_code(mut self, code: &'static str) -> Self {
        self.extensions_mut().insert(RequestLog { code: Some(code), ..RequestLog::default() });
        self
    }

    fn with_change(mut self) -> Self {
        self.extensions_mut().insert(RequestLog { mutation: true, ..RequestLog::default() });
        self
    }

    fn for_method(mut self, method: &Method) -> Self {
        if method == Method::HEAD && self.status() != StatusCode::NOT_MODIFIED {
            let length = HeaderValue::from(self.body().size());
            self.headers_mut().entry(CONTENT_LENGTH).or_insert(length);
            *self.body_mut() = Content::EMPTY;
        }
        self
    }
}
