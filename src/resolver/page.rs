//! The arguments of a connection (decisions V5): a wrong argument is an error and is not clamped.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dated_graphql::{FieldError, Limits};
use uuid::Uuid;

use crate::model::code;
use crate::model::{PageRequest, PageStart, messages};

/// The paging arguments of a field.
pub(super) struct PageArguments {
    pub first: Option<i32>,
    pub after: Option<String>,
    pub last: Option<i32>,
    pub before: Option<String>,
}

impl PageArguments {
    /// The page that is asked for.
    pub(super) fn read<K: CursorKey>(self) -> Result<PageRequest<K>, FieldError> {
        let (start, size) = match (self.first, self.last) {
            (Some(_), Some(_)) => return Err(refuse(messages::PAGE_BOTH_ENDS, "Give either first or last.")),
            (None, Some(last)) => (PageStart::Last, size("last", last)?),
            (Some(first), None) => (PageStart::First, size("first", first)?),
            (None, None) => (PageStart::First, Limits::DEFAULT.page_size_default),
        };
        Ok(PageRequest { start, size, after: key("after", self.after)?, before: key("before", self.before)? })
    }
}

fn size(argument: &str, asked: i32) -> Result<usize, FieldError> {
    let max = Limits::DEFAULT.page_size_max;
    usize::try_from(asked).ok().filter(|size| *size <= max).ok_or_else(|| {
        refuse(messages::page_size_wrong(argument, max), format!("{argument} must be from 0 to {max}, not {asked}."))
    })
}

fn key<K: CursorKey>(argument: &str, cursor: Option<String>) -> Result<Option<K>, FieldError> {
    let Some(cursor) = cursor else { return Ok(None) };
    K::from_cursor(&cursor).map(Some).ok_or_else(|| {
        refuse(messages::cursor_unreadable(argument), format!("{argument} is not a cursor of this connection."))
    })
}

fn refuse(message: impl Into<String>, detail: impl Into<String>) -> FieldError {
    FieldError::new(code::BAD_USER_INPUT, message).with_detail(detail)
}

/// The layout of the bytes below; another layout takes another number, so that old cursors are recognised.
const LAYOUT: u8 = 1;

/// A key that the items of a connection are ordered by, as sixteen bytes.
pub(super) trait CursorKey: Sized {
    /// Distinguishes the cursors of one connection from the cursors of another.
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
