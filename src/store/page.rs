//! Cuts a page out of what a keyset query fetched (specification, section 2.9; decisions V5).

use crate::model::{Page, PageRequest, PageStart};

/// How many rows to fetch: one more than the page holds tells whether there are more.
pub(super) fn fetch_limit<K>(request: &PageRequest<K>) -> i64 {
    i64::try_from(request.size).unwrap_or(i64::MAX).saturating_add(1)
}

/// The page in `fetched`, which lies in the order it was read: from the end that the request starts at.
///
/// `at_after` and `at_before` tell whether anything lies at or beyond the cursors, and so outside the page.
pub(super) fn cut<K, T>(request: &PageRequest<K>, mut fetched: Vec<T>, at_after: bool, at_before: bool) -> Page<T> {
    let more = fetched.len() > request.size;
    fetched.truncate(request.size);
    match request.start {
        PageStart::First => Page { items: fetched, has_next: more || at_before, has_previous: at_after },
        PageStart::Last => {
            fetched.reverse();
            Page { items: fetched, has_next: at_before, has_previous: more || at_after }
        }
    }
}
