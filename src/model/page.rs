//! Pages of a connection: keyset, both ways (specification, section 2.9; decisions V5).

/// Which end a page is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStart {
    First,
    Last,
}

/// A page that a caller asked for; `K` is the key the items are ordered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest<K> {
    pub start: PageStart,
    /// How many items at the most.
    pub size: usize,
    /// Only items after this key.
    pub after: Option<K>,
    /// Only items before this key.
    pub before: Option<K>,
}

impl<K> PageRequest<K> {
    /// The same page, of items that are ordered by another key.
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
