//! A request as the pages see it: `http` makes it out of what arrived.

use http::header::{ACCEPT, ACCEPT_ENCODING, COOKIE};
use http::{HeaderMap, Method};

/// The head of a request.
pub struct WebRequest<'a> {
    pub method: &'a Method,
    pub path: &'a str,
    pub query: Option<&'a str>,
    pub headers: &'a HeaderMap,
    /// As the log knows it.
    pub id: &'a str,
}

impl WebRequest<'_> {
    /// Whether the page is to be shown.
    pub(super) fn is_read(&self) -> bool {
        matches!(*self.method, Method::GET | Method::HEAD)
    }

    /// The value of a cookie.
    pub(super) fn cookie(&self, name: &str) -> Option<&str> {
        self.headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .find_map(|pair| pair.trim().split_once('=').filter(|(known, _)| *known == name).map(|(_, value)| value))
    }

    /// A parameter of the query.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        let pairs = url::form_urlencoded::parse(self.query.unwrap_or_default().as_bytes());
        pairs.into_iter().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }

    /// Whether the caller takes bytes that are compressed with gzip (RFC 9110, section 12.5.3).
    pub(super) fn accepts_gzip(&self) -> bool {
        let lines = self.headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
        lines.flat_map(|line| line.split(',')).any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty());
            name.trim().eq_ignore_ascii_case("gzip") && !refused
        })
    }

    /// Whether a machine asks, which wants JSON and no page.
    pub(super) fn wants_json(&self) -> bool {
        let accepted = self.headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok());
        let media: Vec<_> =
            accepted.flat_map(|line| line.split(',')).filter_map(|range| range.split(';').next()).collect();
        let names = |wanted: &str| media.iter().any(|range| range.trim().eq_ignore_ascii_case(wanted));
        names("application/json") && !names("text/html")
    }

    /// Whether the browser says that another site sends this (Fetch Metadata). Of those that say nothing it is not known.
    pub(super) fn is_from_elsewhere(&self) -> bool {
        self.headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin")
    }

    /// Whether a browser only fetches ahead, on a guess: nobody has clicked yet.
    pub(super) fn is_prefetch(&self) -> bool {
        ["sec-purpose", "purpose", "x-moz"].iter().filter_map(|name| self.headers.get(*name)).any(|value| {
            let value = value.as_bytes().to_ascii_lowercase();
            [&b"prefetch"[..], b"prerender", b"preview"]
                .iter()
                .any(|word| value.windows(word.len()).any(|part| part == *word))
        })
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn with(headers: &[(&'static str, &'static str)], test: impl FnOnce(&WebRequest<'_>) -> bool) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        test(&WebRequest { method: &Method::GET, path: "/", query: Some("a=1&b=%C3%A9"), headers: &map, id: "req_1" })
    }

    #[test]
    fn cookie_is_found_by_its_whole_name() {
        let lines = [("cookie", "aa=1; a=2"), ("cookie", "b=3")];
        assert!(with(&lines, |request| request.cookie("a") == Some("2")));
        assert!(with(&lines, |request| request.cookie("b") == Some("3")));
        assert!(with(&lines, |request| request.cookie("c").is_none()));
        assert!(with(&[], |request| request.parameter("b").as_deref() == Some("é") && request.parameter("c").is_none()));
    }

    #[test]
    fn machine_is_known_by_what_it_accepts() {
        for (accept, json) in [
            ("application/json", true),
            ("Application/JSON; q=0.9", true),
            ("text/html,application/json;q=0.5", false),
            ("text/html,application/xhtml+xml,*/*;q=0.8", false),
            ("*/*", false),
        ] {
            let map = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            let request = WebRequest { method: &Method::GET, path: "/", query: None, headers: &map, id: "" };
            assert_eq!(request.wants_json(), json, "{accept}");
        }
    }

    #[test]
    fn prefetch_is_known_by_each_of_its_headers() {
        let one = |name, value| with(&[(name, value)], |request| request.is_prefetch());
        assert!(one("sec-purpose", "prefetch"));
        assert!(one("sec-purpose", "prefetch;prerender"));
        assert!(one("purpose", "Prefetch"));
        assert!(one("x-moz", "prefetch"));
        assert!(!one("sec-purpose", "navigate"));
        assert!(!with(&[], |request| request.is_prefetch()));
    }
}
