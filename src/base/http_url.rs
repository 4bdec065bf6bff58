//! An address with the http or https scheme: the scalar `URL` (specification, section 2.1).

use std::fmt;
use std::net::Ipv4Addr;

use dated_graphql::{FieldError, JsonWriter, Leaf, TextScalar};
use url::{Host, Url};

use super::visible::{is_hidden, trim_invisible};

/// An http or https URL with a host, stored as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HttpUrl(Box<str>);

impl HttpUrl {
    /// Parses a URL, without blanks and invisible characters around it; `None` if it is not http or https, or
    /// has no host.
    pub fn parse(text: &str) -> Option<Self> {
        let text = trim_invisible(text);
        let url = Url::parse(text).ok()?;
        // Browsers drop blanks, add slashes that are missing and read `\` as `/` (WHATWG URL Standard, section 4.4), and other
        // readers do not (RFC 3986). Such a text is refused.
        let is_clean = !text.contains(|c: char| c.is_whitespace() || is_hidden(c) || c == '\\');
        let host = text.split_once(':').and_then(|(_, rest)| rest.strip_prefix("//"))?;
        let is_written = is_clean && !host.starts_with('/');
        (is_written && matches!(url.scheme(), "http" | "https") && url.host().is_some()).then(|| Self(text.into()))
    }

    /// A URL from the database, or one that the service made.
    pub fn trusted(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The URL as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a user name or a password is written before the host, even an empty one.
    pub fn has_credentials(&self) -> bool {
        let authority = self.0.split_once("//").map_or("", |(_, rest)| rest);
        authority.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
    }

    /// The parsed and normalised URL (WHATWG URL Standard).
    pub fn url(&self) -> Url {
        Url::parse(&self.0).expect("checked when it was made")
    }
}

impl fmt::Display for HttpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Leaf for HttpUrl {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        out.string(self.as_str());
        Ok(())
    }
}

impl TextScalar for HttpUrl {
    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

/// Whether an `@` stands behind the authority of a URL, as where a password holds a `/`, `?` or `#` that is not escaped: what
/// is read as the host is then a part of the password.
pub fn has_unescaped_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find(['/', '?', '#']).is_some_and(|end| rest[end..].contains('@'))
}

/// Whether the host of a URL is this machine: `localhost` or a loopback address.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        // In a scheme other than http and https, an IPv4 address is a name.
        Some(Host::Domain(name)) => name == "localhost" || name.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback()),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn password_that_is_not_escaped_is_found() {
        for (url, expected) in [
            ("smtp://u:p@mail.example:587", false),
            ("smtp://u@x.nl:p@mail.example/", false),
            ("smtp://u:12/3@mail.example", true),
            ("postgres://u:1?2@db/d", true),
            ("postgres://u:1#2@db/d", true),
            ("postgres://u:p@db/d?sslmode=disable", false),
            ("", false),
        ] {
            assert_eq!(has_unescaped_password(url), expected, "{url}");
        }
    }

    #[test]
    fn loopback_is_localhost_and_the_loopback_addresses() {
        for (url, expected) in [
            ("http://localhost:80/", true),
            ("http://127.1.2.3", true),
            ("http://[::1]", true),
            ("smtp://127.0.0.1:25", true),
            ("smtp://localhost", true),
            ("http://127.example", false),
            ("smtp://127.example", false),
            ("http://10.0.0.1", false),
            ("file:///a", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(url).expect("a URL")), expected, "{url}");
        }
    }
}
