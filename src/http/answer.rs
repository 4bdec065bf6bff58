//! An answer on its way out: what the routes return, before it becomes bytes.
//!
//! Called by every route; the router turns it into hyper's response and reads its note for the log.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use http_body_util::Full;
use uuid::Uuid;

/// How many headers most answers carry at the most: their table is made once.
const HEADERS_EXPECTED: usize = 6;

/// An answer, and what the log says about it.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub note: Note,
}

/// What is known about a request by the time it is answered; no token, nothing personal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Note {
    pub version: Option<&'static str>,
    pub partner_id: Option<Uuid>,
    /// The code of a refusal (decisions H6).
    pub code: Option<&'static str>,
    pub mutation: bool,
    /// In points (decisions H8).
    pub cost: Option<u32>,
    pub replayed: bool,
}

impl Answer {
    /// An answer with a body.
    pub fn new(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::with_capacity(HEADERS_EXPECTED);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status, headers, body: body.into(), note: Note::default() }
    }

    /// An answer in one line of text, for those who are no client of the API.
    pub fn plain(status: StatusCode, text: impl Into<Bytes>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", text).with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
    }

    /// The caller has it already (RFC 9110, section 15.4.5).
    pub fn not_modified() -> Self {
        let (headers, body) = (HeaderMap::new(), Bytes::new());
        Self { status: StatusCode::NOT_MODIFIED, headers, body, note: Note::default() }
    }

    /// The same with a header, which replaces one of that name.
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Into hyper's hands. `HEAD` gets the headers alone (RFC 9110, section 9.3.2).
    pub fn into_response(self, method: &Method) -> Response<Full<Bytes>> {
        let Answer { status, mut headers, mut body, .. } = self;
        if method == Method::HEAD && status != StatusCode::NOT_MODIFIED {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
            body = Bytes::new();
        }
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }
}
