//! One-time links into the service's own pages, and the browser sessions that they open (specification, section 2.7;
//! decisions S1, S2).

use std::fmt;

use uuid::Uuid;

use crate::base::{Timestamp, limits, text_enum};

/// The pages that a session link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionTarget {
    /// The pages that fill in and order the card.
    Customizer,
    /// The list of invitees.
    InviteeList,
}

text_enum!(SessionTarget { Customizer => "CUSTOMIZER", InviteeList => "INVITEE_LIST" });

/// A stored link, without its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionLink {
    /// SHA-256 of the unguessable part of the link.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
    /// The key that created the link; `None` for links older than this column. The link ends when the key is revoked.
    pub key_id: Option<Uuid>,
}

/// The link to the invitee list in an order mail, without its token.
///
/// It opens more than once until it expires, because a mail is read again weeks later. Each time it opens a session of its
/// own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InviteeListLink {
    /// SHA-256 of the unguessable part of the link.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// The access of a browser to one environment of one card, without the cookie itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserSession {
    /// SHA-256 of the cookie's value.
    pub digest: [u8; 32],
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub created_at: Timestamp,
    /// When it was last used, to within [`limits::BROWSER_SESSION_SEEN_RECORDED`].
    pub seen_at: Timestamp,
    /// The key that created the session link; `None` if the link of an order mail opened it. The session ends when the key
    /// is revoked.
    pub key_id: Option<Uuid>,
}

impl BrowserSession {
    /// Whether the session is open at `now`: neither idle for too long nor too old.
    pub fn is_open_at(&self, now: Timestamp) -> bool {
        now < self.created_at.after(limits::BROWSER_SESSION_TOTAL)
            && now < self.seen_at.after(limits::BROWSER_SESSION_IDLE)
    }

    /// Whether `seen_at` is old enough to be written again.
    pub fn is_stale_at(&self, now: Timestamp) -> bool {
        now >= self.seen_at.after(limits::BROWSER_SESSION_SEEN_RECORDED)
    }
}

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
pub enum SessionSelection {
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
