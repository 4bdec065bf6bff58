//! The response of `http` and `web`: the type of the `http` crate, with a body that may be read while it is sent, and with
//! what the log says about the request as an extension.
//!
//! Made by the handlers of both; the router of `http` logs it and sends it.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, IF_NONE_MATCH, LOCATION,
    REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use maud::Markup;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::request_head::RequestHead;
use crate::media::MediaParts;

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

/// What the log says about a request: an extension of its response. Holds no token and no personal data.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RequestLog {
    pub version: Option<&'static str>,
    pub partner_id: Option<Uuid>,
    /// The error code of a refusal (decisions H6).
    pub code: Option<&'static str>,
    pub mutation: bool,
    /// In points (decisions H8).
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

/// Makes a response of a page.
pub(super) fn page(status: StatusCode, page: Markup) -> Response {
    new(status, "text/html; charset=utf-8", page.into_string())
}

/// Returns the policy of a page that holds `style`.
pub(super) fn policy_of_style(style: &str) -> HeaderValue {
    allowing(&[style], POLICY)
}

/// Returns the policy of a page that holds one of these styles, in a frame of the service.
pub(super) fn framed_policy(styles: &[String]) -> HeaderValue {
    allowing(styles, &POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"))
}

/// Adds the digests of styles to a policy (Content Security Policy Level 3, section 6.7.3.3).
fn allowing(styles: &[impl AsRef<[u8]>], policy: &str) -> HeaderValue {
    let sources = styles.iter().fold("style-src 'self'".to_owned(), |sources, style| {
        format!("{sources} 'sha256-{}'", BASE64.encode(Sha256::digest(style)))
    });
    HeaderValue::try_from(policy.replace("style-src 'self'", &sources)).expect("a policy is visible ASCII")
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
pub(super) fn see_other(location: &str) -> Response {
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

    /// Adds the headers of every page (decisions S4), except those that the page has set.
    fn with_page_headers(self) -> Self;
}

/// Nothing from other sites, no script or style inside a page (but see [`policy_of_style`]), no form to other sites. A page is in no
/// frame, except a card in the customizer ([`framed_policy`]). `blob:` is the portrait that was chosen and not yet sent, and a
/// script sends it to the service itself.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; font-src 'self'; \
                      connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
pub(crate) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

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

    fn with_page_headers(mut self) -> Self {
        for (name, value) in [
            (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (ROBOTS, HeaderValue::from_static("noindex, nofollow")),
            (OPENER, HeaderValue::from_static("same-origin")),
            (RESOURCE, HeaderValue::from_static("same-origin")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ] {
            self.headers_mut().entry(name).or_insert(value);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_none_match_compares_weakly_and_reads_lists() {
        let etag = HeaderValue::from_static("\"a\"");
        for (line, known) in [
            ("\"a\"", true),
            ("W/\"a\"", true),
            ("\"b\", \"a\"", true),
            ("*", true),
            ("\"b\"", false),
            ("a", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(line))]);
            assert_eq!(is_known_to_caller(&headers, &etag), known, "{line:?}");
        }
    }
}
