//! The arguments of a connection (decisions V5): a wrong argument is an error and is not clamped.

use super::cursor::CursorKey;
use crate::base::limits;
use crate::graphql::{FieldError, code};
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
            (None, None) => (PageStart::First, limits::PAGE_SIZE_DEFAULT),
        };
        Ok(PageRequest { start, size, after: key("after", self.after)?, before: key("before", self.before)? })
    }
}

fn size(argument: &str, asked: i32) -> Result<usize, FieldError> {
    let max = limits::PAGE_SIZE_MAX;
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

#[cfg(test)]
mod tests {
    use super::*;

    type Themes = PageRequest<(i64, i64)>;

    fn read(first: Option<i32>, last: Option<i32>) -> Result<(PageStart, usize), String> {
        let arguments = PageArguments { first, last, after: None, before: None };
        let page: Result<Themes, _> = arguments.read();
        page.map(|page| (page.start, page.size)).map_err(|error| {
            assert_eq!(error.code, code::BAD_USER_INPUT);
            error.message
        })
    }

    #[test]
    fn page_size_is_taken_as_asked_or_refused() {
        let wrong = |argument| Err(text::page_size_wrong(argument, 250));
        let table = [
            (None, None, Ok((PageStart::First, 50))),
            (Some(0), None, Ok((PageStart::First, 0))),
            (Some(1), None, Ok((PageStart::First, 1))),
            (Some(250), None, Ok((PageStart::First, 250))),
            (None, Some(0), Ok((PageStart::Last, 0))),
            (None, Some(250), Ok((PageStart::Last, 250))),
            (Some(251), None, wrong("first")),
            (Some(-1), None, wrong("first")),
            (Some(i32::MIN), None, wrong("first")),
            (None, Some(251), wrong("last")),
            (None, Some(-1), wrong("last")),
            (Some(1), Some(1), Err(text::PAGE_BOTH_ENDS.to_owned())),
        ];
        for (first, last, expected) in table {
            assert_eq!(read(first, last), expected, "first {first:?}, last {last:?}");
        }
    }

    #[test]
    fn cursor_is_read_or_refused_by_the_name_of_its_argument() {
        let arguments = |after, before| PageArguments { first: None, last: None, after, before };
        let cursor = (3, 4).to_cursor();
        let page: Themes = arguments(Some(cursor.clone()), Some(cursor)).read().expect("a page");
        assert_eq!((page.after, page.before), (Some((3, 4)), Some((3, 4))));
        let wrong = || Some("geen cursor".to_owned());
        for (argument, arguments) in [("after", arguments(wrong(), None)), ("before", arguments(None, wrong()))] {
            let error = arguments.read::<(i64, i64)>().expect_err("no cursor");
            assert_eq!(error.message, text::cursor_unreadable(argument));
        }
    }
}
