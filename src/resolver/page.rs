//! The arguments of a connection (decisions V5): a wrong argument is an error and is not clamped.

use engine::{FieldError, Limits};

use super::cursor::CursorKey;
use crate::model::code;
use crate::model::{PageRequest, PageStart, text};

/// What a caller said about the page it wants.
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
            (Some(_), Some(_)) => return Err(refused(text::PAGE_BOTH_ENDS, "Give either first or last.")),
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
        refused(text::page_size_wrong(argument, max), format!("{argument} must be from 0 to {max}, not {asked}."))
    })
}

fn key<K: CursorKey>(argument: &str, cursor: Option<String>) -> Result<Option<K>, FieldError> {
    let Some(cursor) = cursor else { return Ok(None) };
    K::from_cursor(&cursor).map(Some).ok_or_else(|| {
        refused(text::cursor_unreadable(argument), format!("{argument} is not a cursor of this connection."))
    })
}

fn refused(message: impl Into<String>, detail: impl Into<String>) -> FieldError {
    FieldError::new(code::BAD_USER_INPUT, message).with_detail(detail)
}
