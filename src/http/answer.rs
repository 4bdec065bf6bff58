//! An answer on its way out: what the routes return, before it becomes bytes.
//!
//! Called by every route; the router turns it into hyper's response and reads its note for the log.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use uuid::Uuid;

use super::answer_body::AnswerBody;
use super::budget::{Budget, Reservation};
use super::idle_timer::IdleTimer;
use crate::media::MediaParts;

/// How many headers most answers carry at the most: their table is made once.
const HEADERS_EXPECTED: usize = 6;

/// An answer, and what the log says about it.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Content,
    pub note: RequestLog,
}

/// What an answer holds.
#[derive(Debug)]
pub enum Content {
    Whole(Bytes),
    /// The first part of a stored picture; the others are read as the client takes them.
    Stored(Bytes, MediaParts),
}

/// What is known about a request by the time it is answered; no token, nothing personal.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestLog {
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
        Self { status, headers, body: Content::Whole(body.into()), note: RequestLog::default() }
    }

    /// An answer in one line of text, for those who are no client of the API.
    pub fn plain(status: StatusCode, text: impl Into<Bytes>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", text).with(CACHE_CONTROL, HeaderValue::from_static("no-store"))
    }

    /// The caller has it already (RFC 9110, section 15.4.5).
    pub fn not_modified() -> Self {
        let (headers, body) = (HeaderMap::new(), Content::EMPTY);
        Self { status: StatusCode::NOT_MODIFIED, headers, body, note: RequestLog::default() }
    }

    /// The same with a header, which replaces one of that name.
    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The same as it answers `HEAD`: the headers alone (RFC 9110, section 9.3.2).
    pub fn headed(mut self, method: &Method) -> Self {
        if method == Method::HEAD && self.status != StatusCode::NOT_MODIFIED {
            self.headers.entry(CONTENT_LENGTH).or_insert(HeaderValue::from(self.body.len()));
            self.body = Content::EMPTY;
        }
        self
    }

    /// Into hyper's response; `reservation` covers [`Content::reserved_bytes`].
    pub fn into_response(
        self,
        idle_timer: &Arc<IdleTimer>,
        budget: &Arc<Budget>,
        reservation: Option<Reservation>,
    ) -> Response<AnswerBody> {
        let Answer { status, headers, body, .. } = self;
        let mut response = Response::new(AnswerBody::new(body, idle_timer, budget, reservation));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }
}

impl Content {
    pub const EMPTY: Self = Content::Whole(Bytes::new());

    /// How many bytes the client gets.
    pub fn len(&self) -> u64 {
        match self {
            Content::Whole(bytes) => bytes.len() as u64,
            Content::Stored(_, parts) => parts.size(),
        }
    }

    /// How many bytes of memory this answer alone needs: none where the bytes are static, or kept for all callers.
    pub fn reserved_bytes(&self) -> usize {
        match self {
            Content::Whole(bytes) if !bytes.is_unique() => 0,
            Content::Whole(bytes) | Content::Stored(bytes, _) => bytes.len(),
        }
    }
}
