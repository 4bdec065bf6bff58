//! An answer of the pages on its way to `http`, and the headers that every one of them carries (decisions S4).

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use maud::Markup;

/// Nothing from elsewhere, no script and no style inside a page, no form to elsewhere, in nobody's frame. `blob:` is the
/// portrait that somebody has chosen and not yet sent.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; font-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// What `http` sends.
#[derive(Debug)]
pub struct WebAnswer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// The code of a refusal, for the log.
    pub code: Option<&'static str>,
}

impl WebAnswer {
    /// A page.
    pub(super) fn page(status: StatusCode, page: Markup) -> Self {
        Self::new(status, HeaderValue::from_static("text/html; charset=utf-8"), page.into_string())
    }

    /// The browser goes on with a GET (RFC 9110, section 15.4.4): what was sent is done, and going back does not repeat it.
    pub(super) fn see_other(location: &str) -> Self {
        let mut answer = Self::bare(StatusCode::SEE_OTHER);
        // Our own paths, which hold nothing but letters, digits, hyphens and slashes.
        answer.headers.insert(LOCATION, HeaderValue::try_from(location).expect("a path of ours is visible ASCII"));
        answer
    }

    /// Nothing but a status.
    pub(super) fn bare(status: StatusCode) -> Self {
        Self { status, headers: HeaderMap::new(), body: Bytes::new(), code: None }
    }

    pub(super) fn new(status: StatusCode, content_type: HeaderValue, body: impl Into<Bytes>) -> Self {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, content_type)]);
        Self { status, headers, body: body.into(), code: None }
    }

    /// The same with a header.
    pub(super) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// The same with a code for the log.
    pub(super) fn noted(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    /// The same with what every answer of the pages carries. Nothing of it is kept unless it says so itself.
    pub(super) fn sealed(mut self) -> Self {
        for (name, value) in [
            (CONTENT_SECURITY_POLICY, POLICY),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (ROBOTS, HeaderValue::from_static("noindex, nofollow")),
            (OPENER, HeaderValue::from_static("same-origin")),
            (RESOURCE, HeaderValue::from_static("same-origin")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ] {
            self.headers.entry(name).or_insert(value);
        }
        self
    }
}
