//! A map by name in insertion order: a list while it is small, with a hash index once it is large, so that lookups in hostile
//! documents take constant time. A filter finds most new names without a lookup.

use std::collections::HashMap;

/// The maximum size without an index: comparing that many names costs less than hashing one.
const LISTED_MAX: usize = 16;

/// Maps names to values, in insertion order.
#[derive(Debug)]
pub(super) struct SmallMap<'a, V> {
    pub entries: Vec<(&'a str, V)>,
    filter: NameFilter,
    /// Positions of the entries; empty while there are few.
    index: HashMap<&'a str, usize, foldhash::fast::RandomState>,
}

impl<V> Default for SmallMap<'_, V> {
    fn default() -> Self {
        Self { entries: Vec::new(), filter: NameFilter::default(), index: HashMap::default() }
    }
}

/// A Bloom filter of 64 bits: tells of most new names that they are new, without a comparison.
#[derive(Debug, Default)]
pub(super) struct NameFilter(u64);

impl NameFilter {
    /// Adds a name, and returns whether it may have been added before.
    #[inline]
    pub(super) fn add(&mut self, name: &str) -> bool {
        let bit = 1 << (name_hash(name).wrapping_mul(0x9E37_79B1) >> 26);
        let before = self.0;
        self.0 |= bit;
        before & bit != 0
    }
}

/// Returns the number of bytes of a name, modulo 256, and its first, middle and last byte, which tell most names apart.
#[inline]
pub(super) fn name_hash(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or_default();
    u32::from_be_bytes([bytes.len() as u8, at(0), at(bytes.len() / 2), at(bytes.len().wrapping_sub(1))])
}

impl<'a, V> SmallMap<'a, V> {
    /// Returns an empty map that takes `names` names before it grows.
    pub(super) fn with_capacity(names: usize) -> Self {
        Self { entries: Vec::with_capacity(names), ..Self::default() }
    }

    #[inline]
    fn position(&self, name: &str) -> Option<usize> {
        if self.entries.len() <= LISTED_MAX {
            return self.entries.iter().position(|(known, _)| *known == name);
        }
        self.index.get(name).copied()
    }

    /// Returns the position of a name, which is added to the filter.
    #[inline]
    fn known_position(&mut self, name: &str) -> Option<usize> {
        if self.filter.add(name) { self.position(name) } else { None }
    }

    pub(super) fn get(&self, name: &str) -> Option<&V> {
        self.position(name).map(|at| &self.entries[at].1)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        self.position(name).map(|at| &mut self.entries[at].1)
    }

    /// Adds a value. If the name exists, its value is kept and returned.
    #[inline]
    pub(super) fn add(&mut self, name: &'a str, value: V) -> Option<&mut V> {
        if let Some(at) = self.known_position(name) {
            return Some(&mut self.entries[at].1);
        }
        self.push(name, value);
        None
    }

    /// Returns the value called `name`, inserting one if there is none.
    #[inline]
    pub(super) fn or_insert_with(&mut self, name: &'a str, make: impl FnOnce() -> V) -> &mut V {
        let at = self.known_position(name).unwrap_or_else(|| {
            self.push(name, make());
            self.entries.len() - 1
        });
        &mut self.entries[at].1
    }

    fn push(&mut self, name: &'a str, value: V) {
        let at = self.entries.len();
        self.entries.push((name, value));
        if at == LISTED_MAX {
            self.index = self.entries.iter().enumerate().map(|(at, (name, _))| (*name, at)).collect();
        } else if at > LISTED_MAX {
            self.index.insert(name, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SmallMap, name_hash};

    #[test]
    fn short_and_long_maps_find_the_first_of_each_name() {
        let names: Vec<String> = (0..40).map(|n| format!("n{n}")).collect();
        let mut map = SmallMap::default();
        for (n, name) in names.iter().enumerate() {
            assert!(map.get(name).is_none());
            assert!(map.add(name, n).is_none());
            assert_eq!(map.add(name, 99), Some(&mut n.clone()));
            assert!(names[..=n].iter().enumerate().all(|(n, name)| map.get(name) == Some(&n)));
        }
        assert_eq!(*map.or_insert_with("n7", || 99), 7);
        assert_eq!(map.entries.len(), 40);
    }

    #[test]
    fn names_with_the_same_hash_are_different() {
        let (birth, death) = ("dateOfBirth", "dateOfDeath");
        assert_eq!(name_hash(birth), name_hash(death));
        let mut map = SmallMap::default();
        assert!(map.add(birth, 1).is_none() && map.add(death, 2).is_none());
        assert_eq!((map.get(birth), map.get(death)), (Some(&1), Some(&2)));
    }
}
