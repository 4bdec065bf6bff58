//! The corpus of addresses that every release must refuse or allow (decisions, section 7).

/// The host parts in `ssrf-refused.txt`.
pub fn refused() -> impl Iterator<Item = &'static str> {
    hosts(include_str!("../data/ssrf-refused.txt"))
}

/// The host parts in `ssrf-allowed.txt`.
pub fn allowed() -> impl Iterator<Item = &'static str> {
    hosts(include_str!("../data/ssrf-allowed.txt"))
}

fn hosts(corpus: &'static str) -> impl Iterator<Item = &'static str> {
    corpus.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
