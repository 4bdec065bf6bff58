//! The address of the mail server, `SMTP_URL`: `smtps://user:password@host:port`, or `smtp://` with or without `?tls=`.
//!
//! Parsed when the settings are checked and when the mailer is opened. Errors do not repeat what may be a password.

use std::borrow::Cow;

use url::{Host, Url};

use crate::base::{has_unescaped_password, is_loopback};

/// What to write for the characters that end a part of a URL.
const ESCAPES: &str = "in a user name or password write / as %2F, ? as %3F, # as %23, @ as %40, : as %3A and % as %25";

/// A mail server, and how it is reached.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SmtpUrl {
    /// A name in ASCII, or an IP address without brackets.
    pub host: String,
    pub port: u16,
    pub protection: Protection,
    /// User name and password.
    pub credentials: Option<(String, String)>,
}

/// When a connection turns to TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protection {
    Never,
    /// If the server offers it.
    Opportunistic,
    /// Before anything else is said.
    Required,
    /// From the start.
    Implicit,
}

impl Protection {
    /// The usual port (RFC 8314, section 7; RFC 5321, section 4.5.4.2).
    fn port(self) -> u16 {
        match self {
            Protection::Never => 25,
            Protection::Opportunistic | Protection::Required => 587,
            Protection::Implicit => 465,
        }
    }
}

impl SmtpUrl {
    /// Parses an address. The error says what to write.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if !["smtp://", "smtps://"].iter().any(|start| text.starts_with(start)) {
            return Err("must be an address that starts with smtp:// or smtps://".to_owned());
        }
        let unreadable = || format!("is not smtp://<user>:<password>@<host>:<port>: {ESCAPES}");
        if has_unescaped_password(text) {
            return Err(unreadable());
        }
        let url = Url::parse(text).map_err(|_| unreadable())?;
        let host = match Host::parse(url.host_str().unwrap_or_default()).map_err(|_| unreadable())? {
            Host::Domain(name) => name,
            Host::Ipv4(ip) => ip.to_string(),
            Host::Ipv6(ip) => ip.to_string(),
        };
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err("ends with the host, its port and ?tls=: it takes no path".to_owned());
        }
        let credentials = match (url.username(), url.password()) {
            ("", None | Some("")) => None,
            (_, None) => {
                return Err("names a user without a password: write smtp://<user>:<password>@<host>".to_owned());
            }
            (user, Some(password)) => Some((decode(user)?, decode(password)?)),
        };
        let protection = protection(&url)?;
        match url.port() {
            Some(0) => Err("names port 0, which no server has: 465 is usual for smtps://, 587 for smtp://".to_owned()),
            port => Ok(Self { host, port: port.unwrap_or(protection.port()), protection, credentials }),
        }
    }
}

/// Returns what `?tls=` asks for. Without it, a password requires TLS, except on the loopback.
fn protection(url: &Url) -> Result<Protection, String> {
    let mut asked = None;
    for (name, value) in url.query_pairs() {
        asked = match (name.as_ref(), value.as_ref()) {
            ("tls", "required") => Some(Protection::Required),
            ("tls", "opportunistic") => Some(Protection::Opportunistic),
            ("tls", _) => return Err("takes ?tls=required or ?tls=opportunistic, and no other value of tls".to_owned()),
            _ => return Err("takes the parameter ?tls= only".to_owned()),
        };
    }
    match (url.scheme(), asked) {
        ("smtps", Some(Protection::Opportunistic)) => {
            Err("asks for TLS from the start with smtps://: leave out ?tls=opportunistic".to_owned())
        }
        ("smtps", _) => Ok(Protection::Implicit),
        (_, Some(asked)) => Ok(asked),
        (_, None) if is_loopback(url) => Ok(Protection::Never),
        (_, None) if url.password().is_some_and(|password| !password.is_empty()) => Ok(Protection::Required),
        (_, None) => Ok(Protection::Opportunistic),
    }
}

fn decode(text: &str) -> Result<String, String> {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8().map(Cow::into_owned);
    decoded.map_err(|_| format!("holds a user name or password that is not UTF-8: {ESCAPES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_or_refused_with_what_to_write() {
        use Protection::{Implicit, Never, Opportunistic, Required};
        for (url, host, port, protection) in [
            ("smtps://u:p@mail.example", "mail.example", 465, Implicit),
            ("smtps://mail.example?tls=required", "mail.example", 465, Implicit),
            ("smtp://u:p@mail.example", "mail.example", 587, Required),
            ("smtp://mail.example:25", "mail.example", 25, Opportunistic),
            ("smtp://mail.example", "mail.example", 587, Opportunistic),
            ("smtp://mail.example/?tls=required", "mail.example", 587, Required),
            ("smtp://127.0.0.1:2525", "127.0.0.1", 2525, Never),
            ("smtp://localhost", "localhost", 25, Never),
            ("smtp://[::1]:2525", "::1", 2525, Never),
            ("smtp://[2a00:1450:4001::1b]", "2a00:1450:4001::1b", 587, Opportunistic),
            ("smtp://u:p@localhost", "localhost", 25, Never),
            ("smtp://10.0.0.1", "10.0.0.1", 587, Opportunistic),
            ("smtp://mäil.example", "xn--mil-qla.example", 587, Opportunistic),
            ("smtp://info@x.nl:p@mail.example", "mail.example", 587, Required),
        ] {
            let read = SmtpUrl::parse(url).unwrap_or_else(|reason| panic!("{url}: {reason}"));
            assert_eq!((read.host.as_str(), read.port, read.protection), (host, port, protection), "{url}");
        }
        for (url, word) in [
            ("mail.example", "smtp://"),
            ("smtp:mail.example", "smtp://"),
            ("http://mail.example", "smtp://"),
            ("smtp://u:sec/ret@mail.example", "%2F"), // as Amazon SES makes them (nodemailer #572)
            ("smtp://u:12/secret@mail.example", "%2F"),
            ("smtp://u:12?secret@mail.example", "%3F"),
            ("smtp://u:12#secret@mail.example", "%23"),
            ("smtp://u:%ffsecret@mail.example", "UTF-8"),
            ("smtp://", "<host>"),
            ("smtp://:587", "<host>"),
            ("smtp:///secret", "<host>"),
            ("smtp://mail.example:99999", "<port>"),
            ("smtp://mail.example:0", "port 0"),
            ("smtp://mail.example/ehlo-name", "no path"),
            ("smtp://mail.example?tls=yes", "?tls=required"),
            ("smtp://mail.example?auth=secret", "?tls="),
            ("smtps://mail.example?tls=opportunistic", "leave out"),
            ("smtp://secret@mail.example", "without a password"),
        ] {
            let reason = SmtpUrl::parse(url).map(|read| panic!("{url}: {}", read.host)).unwrap_err();
            assert!(reason.contains(word) && !reason.contains("secret"), "{url}: {reason}");
        }
    }

    #[test]
    fn user_and_password_are_decoded() {
        assert_eq!(SmtpUrl::parse("smtp://:@mail.example").map(|read| read.credentials), Ok(None), "unset variables");
        for (url, user, password) in [
            ("smtp://u:p%2Fq%3Fr%23s%40t%25@mail.example", "u", "p/q?r#s@t%"),
            ("smtp://info%40x.nl:a+b@mail.example", "info@x.nl", "a+b"),
            ("smtp://:p@mail.example", "", "p"),
        ] {
            let read = SmtpUrl::parse(url).unwrap_or_else(|reason| panic!("{url}: {reason}"));
            assert_eq!(read.credentials, Some((user.to_owned(), password.to_owned())), "{url}");
        }
    }
}
