//! The media types of requests and responses.
//!
//! Source: RFC 9110, section 12.5.1; GraphQL over HTTP, "Accept" and "Request". What the usual clients send is accepted where the
//! meaning is clear.

use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};

/// The media type of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseType {
    /// `application/graphql-response+json`: the status tells whether the document was executed.
    GraphqlResponse,
    /// `application/json`: the status of a well-formed request is always 200.
    Json,
}

impl ResponseType {
    /// The value of `Content-Type`.
    pub const fn content_type(self) -> &'static str {
        match self {
            ResponseType::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            ResponseType::Json => "application/json; charset=utf-8",
        }
    }

    /// Returns the type that the caller prefers; `None` if it accepts neither (406).
    ///
    /// JSON without an `Accept` header, or without a readable range in it. Of two types with the same quality, the GraphQL type only
    /// if the caller names it.
    pub fn negotiate(headers: &HeaderMap) -> Option<Self> {
        if headers.get_all(ACCEPT).iter().all(|line| line == "application/json" || line == "*/*") {
            return Some(ResponseType::Json); // what most clients send, without parsing
        }
        let mut is_readable = false;
        let (mut graphql, mut json) = (Preference::default(), Preference::default());
        for line in headers.get_all(ACCEPT) {
            for text in line.to_str().unwrap_or_default().split(',').filter(|text| !text.trim().is_empty()) {
                let Some(range) = Range::parse(text) else { continue };
                is_readable = true;
                graphql.consider(&range, |sub| sub.eq_ignore_ascii_case("graphql-response+json"));
                json.consider(&range, is_json_subtype);
            }
        }
        if !is_readable {
            return Some(ResponseType::Json);
        }
        let named = graphql.precision == 3;
        match (graphql.q, json.q) {
            (0.0, 0.0) => None,
            (g, j) if g > j || (g == j && named) => Some(ResponseType::GraphqlResponse),
            _ => Some(ResponseType::Json),
        }
    }
}

/// One media range of `Accept`.
struct Range<'a> {
    main: &'a str,
    sub: &'a str,
    /// From 0 to 1; 0 also for another character set than UTF-8.
    q: f32,
}

impl<'a> Range<'a> {
    /// Parses a range; `None` if it is malformed. A malformed quality is 1, as for most servers.
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let media = parts.next()?;
        // `*` for `*/*`, and `.2` below: the default of HttpURLConnection in Java up to 17.
        let (main, sub) = if media == "*" { ("*", "*") } else { media.split_once('/')? };
        let mut q = 1.0;
        for parameter in parts {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if name.eq_ignore_ascii_case("q") {
                q = value.parse().ok().filter(|q: &f32| !q.is_nan()).map_or(1.0, |q| q.clamp(0.0, 1.0));
            } else if name.eq_ignore_ascii_case("charset") && !is_utf_8(value) {
                return Some(Self { main, sub, q: 0.0 });
            }
        }
        Some(Self { main, sub, q })
    }
}

/// The quality of one of the two types, from the most precise range that matches it.
#[derive(Default)]
struct Preference {
    precision: u8,
    q: f32,
}

impl Preference {
    fn consider(&mut self, range: &Range<'_>, is_subtype: impl Fn(&str) -> bool) {
        let precision = match (range.main, range.sub) {
            ("*", "*") => 1,
            (main, "*") if main.eq_ignore_ascii_case("application") => 2,
            (main, sub) if main.eq_ignore_ascii_case("application") && is_subtype(sub) => 3,
            _ => return,
        };
        if precision > self.precision {
            *self = Self { precision, q: range.q };
        } else if precision == self.precision {
            self.q = self.q.max(range.q);
        }
    }
}

/// Whether a subtype is JSON, or of a vendor and in the syntax of JSON (RFC 6839, section 3.1), such as `vnd.github.v3+json`, which
/// clients of other services always ask for.
fn is_json_subtype(sub: &str) -> bool {
    let suffix = sub.len().checked_sub(5).and_then(|at| sub.get(at..));
    sub.eq_ignore_ascii_case("json")
        || suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+json"))
            && !sub.eq_ignore_ascii_case("graphql-response+json")
}

/// Whether a `charset` parameter names UTF-8, quoted or not, with the hyphen or without.
fn is_utf_8(value: &str) -> bool {
    let value = value.trim_matches('"');
    value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8")
}

/// Whether a body has a content coding. `utf-8` and an empty coding are mistakes of clients that do not compress.
pub fn has_content_coding(headers: &HeaderMap) -> bool {
    let is_none = |coding: &str| coding.is_empty() || coding.eq_ignore_ascii_case("identity") || is_utf_8(coding);
    let codings = |line: &HeaderValue| line.to_str().is_ok_and(|line| line.split(',').map(str::trim).all(is_none));
    !headers.get_all(CONTENT_ENCODING).iter().all(codings)
}

/// Whether a content type is `application/json` in UTF-8, its default (RFC 8259, section 8.1).
pub fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if content_type == "application/json" {
        return true; // what most clients send, without parsing
    }
    let mut parts = content_type.split(';').map(str::trim);
    parts.next().is_some_and(|media| media.eq_ignore_ascii_case("application/json"))
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.eq_ignore_ascii_case("charset") => is_utf_8(value),
            _ => true,
        })
}
