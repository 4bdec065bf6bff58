//! A request before its body is read, as every handler of `http` and `web` gets it.

use std::net::IpAddr;
use std::time::Instant;

use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, COOKIE, HOST, ORIGIN};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, Method, Version};
use url::Url;

use crate::base::is_loopback;
use crate::model::Route;

/// The head of a request, with its route and its client.
pub(crate) struct RequestHead<'a> {
    pub parts: &'a Parts,
    pub route: Route<'a>,
    pub id: &'a str,
    /// The client that connected; `None` if the connection is a proxy's.
    pub client: Option<IpAddr>,
    pub started: Instant,
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("the body is larger than the page accepts")]
    TooLarge,
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body broke off")]
    BrokenOff,
    #[error("the memory for bodies is used up")]
    Busy,
}

impl RequestHead<'_> {
    pub(crate) fn method(&self) -> &Method {
        &self.parts.method
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.parts.headers
    }

    /// Whether the method is `GET` or `HEAD`.
    pub(crate) fn is_read(&self) -> bool {
        matches!(*self.method(), Method::GET | Method::HEAD)
    }

    /// The value of `Content-Length`.
    pub(crate) fn content_length(&self) -> Option<usize> {
        self.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
    }

    /// The value of a cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        self.lines(COOKIE)
            .flat_map(|line| line.split(';'))
            .find_map(|pair| pair.trim().split_once('=').filter(|(known, _)| *known == name).map(|(_, value)| value))
    }

    /// A parameter of the query.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let pairs = url::form_urlencoded::parse(self.parts.uri.query().unwrap_or_default().as_bytes());
        pairs.into_iter().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }

    /// Whether the caller accepts gzip (RFC 9110, section 12.5.3).
    pub(crate) fn accepts_gzip(&self) -> bool {
        self.lines(ACCEPT_ENCODING).flat_map(|line| line.split(',')).any(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.trim_matches(['0', '.']).is_empty());
            name.trim().eq_ignore_ascii_case("gzip") && !refused
        })
    }

    /// Whether the caller is a program that wants JSON instead of a page.
    pub(crate) fn wants_json(&self) -> bool {
        let ranges = self.lines(ACCEPT).flat_map(|line| line.split(','));
        let media: Vec<_> = ranges.filter_map(|range| range.split(';').next()).collect();
        let names = |wanted: &str| media.iter().any(|range| range.trim().eq_ignore_ascii_case(wanted));
        names("application/json") && !names("text/html")
    }

    /// Whether the browser says that another site sent the request (Fetch Metadata). False for browsers without it.
    pub(crate) fn is_from_elsewhere(&self) -> bool {
        self.headers().get("sec-fetch-site").is_some_and(|site| site != "same-origin")
    }

    /// Whether the browser says that another site sent the request, and not the user (Fetch Metadata).
    pub(crate) fn is_from_another_site(&self) -> bool {
        let site = self.headers().get("sec-fetch-site");
        site.is_some_and(|site| site == "cross-site" || site == "same-site")
    }

    /// Whether the request names its host: in exactly one `Host` of HTTP/1.1 (RFC 9112, section 3.2), in `:authority` or one
    /// `Host` of HTTP/2 (RFC 9113, section 8.3.1). HTTP/1.0 may leave it out. A host has no user and no path.
    pub(crate) fn names_its_host(&self) -> bool {
        match (self.parts.version, self.headers().get_all(HOST).iter().count()) {
            (Version::HTTP_09 | Version::HTTP_10, 0) => true,
            (_, 1) | (Version::HTTP_2, 0) => self.host().is_some(),
            _ => false,
        }
    }

    /// Whether the request names this machine as its host. A name of another site that leads here (DNS rebinding) does not.
    pub(crate) fn is_for_loopback(&self) -> bool {
        let url = self.host().and_then(|host| Url::parse(&format!("http://{host}")).ok());
        url.is_some_and(|url| is_loopback(&url))
    }

    /// Whether a page of another host sent the request, as browsers without Fetch Metadata say too (RFC 6454, section 7).
    /// `null` says nothing: pages without a referrer send it.
    pub(crate) fn is_of_another_origin(&self) -> bool {
        let mut origins = self.lines(ORIGIN).filter(|origin| *origin != "null");
        origins.any(|origin| {
            let host = origin.split_once("://").and_then(|(_, host)| host.parse::<Authority>().ok());
            host.is_none() || host != self.host()
        })
    }

    /// The host and the port that the request is for.
    fn host(&self) -> Option<Authority> {
        let host = match self.lines(HOST).next() {
            Some(host) => host.parse().ok(),
            None => self.parts.uri.authority().cloned(),
        };
        host.filter(|host| !host.as_str().contains('@'))
    }

    /// Whether the browser fetches in advance, before the user has clicked.
    pub(crate) fn is_prefetch(&self) -> bool {
        ["sec-purpose", "purpose", "x-moz"].iter().filter_map(|name| self.headers().get(*name)).any(|value| {
            let value = value.as_bytes().to_ascii_lowercase();
            [&b"prefetch"[..], b"prerender", b"preview"]
                .iter()
                .any(|purpose| value.windows(purpose.len()).any(|part| part == *purpose))
        })
    }

    fn lines(&self, name: HeaderName) -> impl Iterator<Item = &str> {
        self.headers().get_all(name).iter().filter_map(|line| line.to_str().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(headers: &[(&str, &str)], test: impl FnOnce(&RequestHead<'_>) -> bool) -> bool {
        let request = headers
            .iter()
            .fold(http::Request::get("/?a=1&b=%C3%A9"), |request, (name, value)| request.header(*name, *value));
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        let started = Instant::now();
        test(&RequestHead { parts: &parts, route: Route::Live, id: "req_1", client: None, started })
    }

    #[test]
    fn cookie_is_found_by_its_whole_name() {
        let lines = [("cookie", "aa=1; a=2"), ("cookie", "b=3")];
        assert!(with(&lines, |head| head.cookie("a") == Some("2")));
        assert!(with(&lines, |head| head.cookie("b") == Some("3")));
        assert!(with(&lines, |head| head.cookie("c").is_none()));
        assert!(with(&[], |head| head.parameter("b").as_deref() == Some("é") && head.parameter("c").is_none()));
    }

    #[test]
    fn host_has_no_user_and_no_path() {
        for (host, is_host, is_loopback) in [
            ("kaarten.example", true, false),
            ("web_1:8080", true, false),
            ("127.0.0.1:8080", true, true),
            ("[::1]", true, true),
            ("localhost", true, true),
            ("evil.example@127.0.0.1", false, false),
            ("127.0.0.1/evil.example", false, false),
            ("127.0.0.1#evil", false, false),
            ("127.0.0.1?evil", false, false),
        ] {
            let lines = [("host", host)];
            assert_eq!(with(&lines, |head| head.names_its_host()), is_host, "{host}");
            assert_eq!(with(&lines, |head| head.is_for_loopback()), is_loopback, "{host}");
        }
    }

    #[test]
    fn origin_is_compared_with_the_host() {
        for (origin, is_another) in [
            ("http://127.0.0.1:9090", false),
            ("null", false),
            ("http://evil.example", true),
            ("http://127.0.0.1:9091", true),
            ("evil", true),
        ] {
            let lines = [("host", "127.0.0.1:9090"), ("origin", origin)];
            assert_eq!(with(&lines, |head| head.is_of_another_origin()), is_another, "{origin}");
        }
    }

    #[test]
    fn program_is_known_by_what_it_accepts() {
        for (accept, json) in [
            ("application/json", true),
            ("Application/JSON; q=0.9", true),
            ("text/html,application/json;q=0.5", false),
            ("text/html,application/xhtml+xml,*/*;q=0.8", false),
            ("*/*", false),
        ] {
            assert_eq!(with(&[("accept", accept)], |head| head.wants_json()), json, "{accept}");
        }
    }

    #[test]
    fn prefetch_is_known_by_each_of_its_headers() {
        let one = |name, value| with(&[(name, value)], |head| head.is_prefetch());
        assert!(one("sec-purpose", "prefetch"));
        assert!(one("sec-purpose", "prefetch;prerender"));
        assert!(one("purpose", "Prefetch"));
        assert!(one("x-moz", "prefetch"));
        assert!(!one("sec-purpose", "navigate"));
        assert!(!with(&[], |head| head.is_prefetch()));
    }
}
