//! Global ids: `gid://service/<Kind>/<uuid>` (specification, section 2.2; decisions K4).

use std::fmt;
use std::fmt::Write as _;

use dated_graphql::{FieldError, JsonWriter, Leaf};
use uuid::Uuid;

use super::text_enum;

/// The kinds of object that have a global id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A memorial card.
    Card,
    /// A theme that a card can have.
    Theme,
    /// An address that follows a topic.
    WebhookSubscription,
    /// An event for one subscription.
    WebhookDelivery,
}

text_enum!(Kind {
    Card => "Card",
    Theme => "Theme",
    WebhookSubscription => "WebhookSubscription",
    WebhookDelivery => "WebhookDelivery",
});

/// A parsed global id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlobalId {
    /// The kind of the object.
    pub kind: Kind,
    /// The key of its row.
    pub uuid: Uuid,
}

impl GlobalId {
    /// The id of an object of `kind`.
    pub const fn new(kind: Kind, uuid: Uuid) -> Self {
        Self { kind, uuid }
    }

    /// Parses an id; `None` for anything else. Its UUID may have the spelling of another system, such as upper case, braces or no
    /// hyphens (decisions K4).
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, uuid) = text.trim_ascii().strip_prefix("gid://service/")?.split_once('/')?;
        let kind = Kind::ALL.into_iter().find(|k| k.as_str() == kind)?;
        Some(Self { kind, uuid: Uuid::try_parse(uuid).ok()? })
    }

    /// The uuid of an id of `kind`; `None` for another kind and for a malformed id.
    pub fn uuid_of(text: &str, kind: Kind) -> Option<Uuid> {
        Self::parse(text).filter(|id| id.kind == kind).map(|id| id.uuid)
    }
}

impl fmt::Display for GlobalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gid://service/{}/{}", self.kind.as_str(), self.uuid.as_hyphenated())
    }
}

impl Leaf for GlobalId {
    fn write(&self, out: &mut JsonWriter) -> Result<(), FieldError> {
        let mut slash_uuid_quote = *b"/00000000-0000-0000-0000-000000000000\"";
        self.uuid.as_hyphenated().encode_lower(&mut slash_uuid_quote[1..]);
        out.raw(b"\"gid://service/");
        out.raw(self.kind.as_str().as_bytes());
        out.raw(&slash_uuid_quote);
        Ok(())
    }
}

/// Returns the bytes as lower-case hexadecimal digits.
pub fn lower_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String accepts every write
        text
    })
}

#[cfg(test)]
mod tests {

    #[test]
    fn bytes_are_two_lower_case_digits_each() {
        assert_eq!(super::lower_hex(&[0, 10, 255]), "000aff");
    }
}
