//! Pages of keyset queries (specification, section 2.9; decisions V5).

use crate::model::{Page, PageRequest, PageStart};

/// Returns how many rows to fetch: one more than the page, to know whether there are more.
pub(super) fn fetch_limit<K>(request: &PageRequest<K>) -> i64 {
    i64::try_from(request.size).unwrap_or(i64::MAX).saturating_add(1)
}

/// Returns the page in `fetched`, whose order begins at the end that the request starts at.
///
/// `at_after` and `at_before` say whether there are rows at or beyond the cursors.
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
