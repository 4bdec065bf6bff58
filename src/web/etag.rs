//! Answers that are not sent again to who has them (RFC 9110, section 13).
//!
//! Called by the pages, and by `http` for its own answers.

use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue};

/// Whether `If-None-Match` names `etag` (RFC 9110, section 13.1.2: compared weakly).
pub fn is_known_to_caller(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let etag = etag.as_bytes();
    headers.get_all(IF_NONE_MATCH).iter().flat_map(|line| line.as_bytes().split(|b| *b == b',')).any(|tag| {
        let tag = tag.trim_ascii();
        tag == b"*" || tag.strip_prefix(b"W/").unwrap_or(tag) == etag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_none_match_compares_weakly_and_reads_lists() {
        let etag = HeaderValue::from_static("\"a\"");
        for (line, known) in [
            ("\"a\"", true),
            ("W/\"a\"", true),
            ("\"b\", \"a\"", true),
            ("*", true),
            ("\"b\"", false),
            ("a", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(line))]);
            assert_eq!(is_known_to_caller(&headers, &etag), known, "{line:?}");
        }
    }
}
