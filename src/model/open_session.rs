//! Open links and browser sessions, as the operator lists and ends them.

use std::fmt;

use uuid::Uuid;

use super::{BrowserSession, SessionLink, SessionTarget};
use crate::base::{Timestamp, text_enum};

/// An unused link, or a browser session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    Link,
    Browser,
}

text_enum!(SessionKind { Link => "link", Browser => "browser" });

/// An open link or browser session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    pub kind: SessionKind,
    /// SHA-256 of the secret part of the link or of the cookie.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub target: SessionTarget,
    /// The key that created the link; `None` if the link of an order mail opened the session.
    pub key_id: Option<Uuid>,
    pub created_at: Timestamp,
    /// When the browser last used it, to within a minute.
    pub seen_at: Option<Timestamp>,
}

impl OpenSession {
    /// The id that the operator sees.
    pub fn id(&self) -> SessionId {
        let [a, b, c, d, e, f, g, h, ..] = self.digest;
        SessionId([a, b, c, d, e, f, g, h])
    }
}

impl From<SessionLink> for OpenSession {
    fn from(link: SessionLink) -> Self {
        let SessionLink { digest, card_id, target, created_at, key_id, .. } = link;
        Self { kind: SessionKind::Link, digest, card_id, target, key_id, created_at, seen_at: None }
    }
}

impl From<BrowserSession> for OpenSession {
    fn from(browser_session: BrowserSession) -> Self {
        let BrowserSession { digest, card_id, target, created_at, seen_at, key_id } = browser_session;
        Self { kind: SessionKind::Browser, digest, card_id, target, key_id, created_at, seen_at: Some(seen_at) }
    }
}

/// The start of a session's digest, which reveals nothing of the token: 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionId(pub [u8; 8]);

impl SessionId {
    /// Parses the result of `Display`.
    pub fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u64::from_str_radix(text, 16).ok().filter(|_| is_id)?;
        Some(Self(number.to_be_bytes()))
    }

    /// The first and the last digest with this start.
    pub fn range(self) -> ([u8; 32], [u8; 32]) {
        let (mut first, mut last) = ([0; 32], [0xff; 32]);
        first[..8].copy_from_slice(&self.0);
        last[..8].copy_from_slice(&self.0);
        (first, last)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", u64::from_be_bytes(self.0))
    }
}

/// A selection of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionsOf {
    Card(Uuid),
    Key(Uuid),
    /// All cards of this partner.
    Partner(Uuid),
    One(SessionId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_id_is_read_as_it_is_written() {
        let id = SessionId([0, 1, 2, 0xab, 0, 0, 0, 0xff]);
        assert_eq!(id.to_string(), "000102ab000000ff");
        assert_eq!(SessionId::parse("000102ab000000ff"), Some(id));
        for wrong in ["", "000102ab000000f", "000102ab000000fg", "+00102ab000000ff", "000102ab000000ff0"] {
            assert_eq!(SessionId::parse(wrong), None, "{wrong}");
        }
        let (first, last) = id.range();
        assert!(first < last && first[..8] == id.0 && last[..8] == id.0);
    }
}
