//! Cursors: the key of an item, opaque to clients (specification, section 2.9; decisions V5).
//!
//! A cursor holds the sort key of its item, not the row: it stays valid while items are added and deleted.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

/// The layout of the bytes below; another layout takes another number, and old cursors are then told apart.
const LAYOUT: u8 = 1;

/// A key that the items of a connection are ordered by, as sixteen bytes.
pub(super) trait CursorKey: Sized {
    /// Tells the cursors of one connection from those of another.
    const CONNECTION: u8;

    fn to_bytes(&self) -> [u8; 16];
    fn from_bytes(bytes: [u8; 16]) -> Self;

    fn to_cursor(&self) -> String {
        let mut bytes = [0; 18];
        bytes[0] = LAYOUT;
        bytes[1] = Self::CONNECTION;
        bytes[2..].copy_from_slice(&self.to_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor; `None` for anything that [`CursorKey::to_cursor`] did not write for this connection.
    fn from_cursor(cursor: &str) -> Option<Self> {
        let bytes: [u8; 18] = URL_SAFE_NO_PAD.decode(cursor).ok()?.try_into().ok()?;
        let [LAYOUT, connection, key @ ..] = bytes else { return None };
        (connection == Self::CONNECTION).then(|| Self::from_bytes(key))
    }
}

/// Themes: position, then number.
impl CursorKey for (i64, i64) {
    const CONNECTION: u8 = b't';

    fn to_bytes(&self) -> [u8; 16] {
        (u128::from(self.0 as u64) << 64 | u128::from(self.1 as u64)).to_be_bytes()
    }

    fn from_bytes(bytes: [u8; 16]) -> Self {
        let both = u128::from_be_bytes(bytes);
        ((both >> 64) as i64, both as i64)
    }
}

/// Webhook subscriptions: their id, which sorts by when they were made.
impl CursorKey for Uuid {
    const CONNECTION: u8 = b's';

    fn to_bytes(&self) -> [u8; 16] {
        *self.as_bytes()
    }

    fn from_bytes(bytes: [u8; 16]) -> Self {
        Uuid::from_bytes(bytes)
    }
}

/// Deliveries: their id, which sorts by when their event happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeliveryKey(pub Uuid);

impl CursorKey for DeliveryKey {
    const CONNECTION: u8 = b'd';

    fn to_bytes(&self) -> [u8; 16] {
        *self.0.as_bytes()
    }

    fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_of_another_connection_or_none_at_all_is_not_read() {
        let themes = (1, 2).to_cursor();
        assert_eq!(Uuid::from_cursor(&themes), None);
        assert_eq!(Uuid::from_cursor(&DeliveryKey(Uuid::from_u128(7)).to_cursor()), None);
        let other_layout = URL_SAFE_NO_PAD.encode([&[LAYOUT + 1, b't'][..], &[0; 16]].concat());
        for text in ["", "a", "geen cursor", &themes[1..], &format!("{themes}AA"), &format!("{themes}="), &other_layout]
        {
            assert_eq!(<(i64, i64)>::from_cursor(text), None, "{text:?}");
        }
    }
}
