//! Pages of a connection: keyset pagination in both directions (specification, section 2.9; decisions V5).

/// The end from which a page is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStart {
    First,
    Last,
}

/// A requested page; `K` is the key by which the items are ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest<K> {
    pub start: PageStart,
    /// The maximum number of items.
    pub size: usize,
    /// Only items after this key.
    pub after: Option<K>,
    /// Only items before this key.
    pub before: Option<K>,
}

impl<K> PageRequest<K> {
    /// The same request with another key type.
    pub fn map_keys<L>(self, f: impl Fn(K) -> L) -> PageRequest<L> {
        PageRequest { start: self.start, size: self.size, after: self.after.map(&f), before: self.before.map(&f) }
    }
}

/// A page of items, in the order of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub has_next: bool,
    pub has_previous: bool,
}
