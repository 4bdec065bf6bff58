//! Negotiates the media type of a response of the API.
//!
//! Called by the handler of partner requests, and for every error. Source: RFC 9110, section 12.5.1; GraphQL over HTTP,
//! "Accept"; decisions H5.

use http::HeaderMap;
use http::header::ACCEPT;

/// The media type of a response of the API.
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
    /// JSON without an `Accept` header. Of two types with the same quality, the GraphQL type only if the caller names it.
    pub fn negotiate(headers: &HeaderMap) -> Option<Self> {
        let mut asked = false;
        let (mut graphql, mut json) = (Preference::default(), Preference::default());
        for line in headers.get_all(ACCEPT) {
            for text in line.to_str().unwrap_or_default().split(',').filter(|text| !text.trim().is_empty()) {
                asked = true;
                if let Some(range) = Range::parse(text) {
                    graphql.consider(&range, "graphql-response+json");
                    json.consider(&range, "json");
                }
            }
        }
        if !asked {
            return Some(ResponseType::Json);
        }
        let named = graphql.precision == 3;
        match (graphql.q, json.q) {
            (0, 0) => None,
            (g, j) if g > j || (g == j && named) => Some(ResponseType::GraphqlResponse),
            _ => Some(ResponseType::Json),
        }
    }
}

/// One media range of `Accept`.
struct Range<'a> {
    main: &'a str,
    sub: &'a str,
    /// In thousandths.
    q: u16,
}

impl<'a> Range<'a> {
    /// Parses a range. `None` if it is malformed or asks for another character set than UTF-8.
    fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (main, sub) = parts.next()?.split_once('/')?;
        let mut q = 1_000;
        for parameter in parts {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if name.eq_ignore_ascii_case("q") {
                q = thousandths(value)?;
            } else if name.eq_ignore_ascii_case("charset") && !is_utf_8(value) {
                return None;
            }
        }
        Some(Self { main, sub, q })
    }
}

/// The quality of one of the two types, from the most precise range that matches it.
#[derive(Default)]
struct Preference {
    precision: u8,
    q: u16,
}

impl Preference {
    fn consider(&mut self, range: &Range<'_>, sub: &str) {
        let precision = match (range.main, range.sub) {
            ("*", "*") => 1,
            (main, "*") if main.eq_ignore_ascii_case("application") => 2,
            (main, named) if main.eq_ignore_ascii_case("application") && named.eq_ignore_ascii_case(sub) => 3,
            _ => return,
        };
        if precision > self.precision {
            *self = Self { precision, q: range.q };
        } else if precision == self.precision {
            self.q = self.q.max(range.q);
        }
    }
}

/// Whether a `charset` parameter names UTF-8, quoted or not, with the hyphen or without.
pub(super) fn is_utf_8(value: &str) -> bool {
    let value = value.trim_matches('"');
    value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8")
}

/// A quality value: `0` to `1` with at most three decimals (RFC 9110, section 12.4.2).
fn thousandths(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let decimals = format!("{decimals:0<3}").parse::<u16>().ok()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negotiated(lines: &[&str]) -> Option<ResponseType> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(ACCEPT, line.parse().expect("a header value"));
        }
        ResponseType::negotiate(&headers)
    }

    #[test]
    fn accept_of_every_shape_gives_the_preferred_type() {
        const GRAPHQL: Option<ResponseType> = Some(ResponseType::GraphqlResponse);
        const JSON: Option<ResponseType> = Some(ResponseType::Json);
        let table: &[(&[&str], Option<ResponseType>)] = &[
            (&[], JSON),
            (&[""], JSON),
            (&["*/*"], JSON),
            (&["application/*"], JSON),
            (&["application/json"], JSON),
            (&["application/json; charset=utf-8"], JSON),
            (&["application/json;charset=\"UTF-8\""], JSON),
            (&["application/json; charset=iso-8859-1"], None),
            (&["application/json; charset=iso-8859-1, text/html"], None),
            (&["application/graphql-response+json"], GRAPHQL),
            (&["APPLICATION/GraphQL-Response+JSON"], GRAPHQL),
            (&["application/graphql-response+json, application/json"], GRAPHQL),
            (&["application/json, application/graphql-response+json"], GRAPHQL),
            (&["application/json, */*"], JSON),
            (&["application/graphql-response+json;q=0.9, application/json"], JSON),
            (&["application/graphql-response+json, application/json;q=0.9"], GRAPHQL),
            (&["application/json;q=0.5", "application/graphql-response+json;q=0.7"], GRAPHQL),
            (&["application/graphql-response+json;q=0, */*"], JSON),
            (&["application/json;q=0, */*"], GRAPHQL),
            (&["application/json;q=0"], None),
            (&["*/*;q=0"], None),
            (&["text/html"], None),
            (&["text/html, */*;q=0.1"], JSON),
            (&["text/html,application/xhtml+xml,application/xml;q=0.9"], None),
            (&["application/json;q=2, text/html"], None),
            (&["nonsense"], None),
        ];
        for (lines, expected) in table {
            assert_eq!(negotiated(lines), *expected, "{lines:?}");
        }
    }

    #[test]
    fn quality_value_outside_its_grammar_is_ignored() {
        for (text, expected) in [
            ("0", Some(0)),
            ("1", Some(1_000)),
            ("0.7", Some(700)),
            ("0.", Some(0)),
            ("1.000", Some(1_000)),
            ("1.001", None),
            ("0.1234", None),
            ("-1", None),
            ("", None),
            ("0.x", None),
        ] {
            assert_eq!(thousandths(text), expected, "{text:?}");
        }
    }
}
