//! Decides which version owns the dispatch of a type: the one whose code writes the type for newer versions too.
//!
//! A version that only adds fields to a type shares the dispatch of the previous version. The oldest version that shares it
//! owns it, and its code also has the fields that newer versions add. A request cannot select a field that its own version
//! does not have, because validation refuses it. So a new version generates code only for what it adds or changes.

use std::collections::BTreeSet;

use schema::model::{Kind, Type};

use super::version::Version;

/// All versions, and the types whose dispatch they share.
pub(super) struct DispatchOwners<'a> {
    /// Oldest first.
    pub versions: Vec<&'a Version<'a>>,
    /// For each version, the types that share the dispatch of the previous version.
    extended: Vec<BTreeSet<&'a str>>,
}

impl<'a> DispatchOwners<'a> {
    /// Makes the owners of a version and all before it.
    pub(super) fn up_to(newest: &'a Version<'a>) -> Self {
        let mut versions: Vec<_> = std::iter::successors(Some(newest), |version| version.previous).collect();
        versions.reverse();
        let extended = |version: &&'a Version<'a>| {
            let names = version.schema.types.iter().map(|ty| &*ty.name);
            names.filter(|name| version.extends_dispatch(name)).collect()
        };
        let extended = versions.iter().map(extended).collect();
        Self { versions, extended }
    }

    /// Returns the index of the version that owns the dispatch of the type for the version at `at`.
    pub(super) fn oldest(&self, at: usize, name: &str) -> usize {
        (1..=at).rev().find(|at| !self.extended[*at].contains(name)).unwrap_or(0)
    }

    /// Returns the index of the newest version that shares the dispatch of the type with the version at `at`. It has all
    /// fields.
    pub(super) fn newest(&self, at: usize, name: &str) -> usize {
        let breaks = |next: &usize| !self.extended[*next].contains(name);
        (at + 1..self.versions.len()).find(breaks).unwrap_or(self.versions.len()) - 1
    }

    /// Returns the type with all fields that its dispatch writes, and the index of the version it is from.
    pub(super) fn whole(&self, at: usize, name: &str) -> Option<(usize, &'a Type)> {
        let newest = self.newest(at, name);
        Some((newest, self.versions[newest].get(name)?))
    }

    /// Returns every type below a type, each with the index of the newest version that shares its dispatch.
    fn reached(&self, at: usize, start: &'a str) -> BTreeSet<(usize, &'a str)> {
        let mut reached = BTreeSet::new();
        let mut open = vec![(at, start)];
        while let Some((at, name)) = open.pop() {
            let Some((newest, ty)) = self.whole(at, name) else { continue };
            if reached.insert((newest, name)) {
                open.extend(self.versions[newest].below(ty).into_iter().map(|below| (newest, below)));
            }
        }
        reached
    }

    /// Returns whether any field in or below the type is resolved.
    pub(super) fn is_async(&self, at: usize, name: &'a str) -> bool {
        self.reached(at, name).into_iter().any(|(at, name)| {
            let version = self.versions[at];
            version.get(name).is_some_and(|ty| {
                matches!(ty.kind, Kind::Object { .. }) && ty.fields().iter().any(|field| version.is_async(ty, field))
            })
        })
    }

    /// Returns whether the type `from` can contain `to`: the future of such a field must be boxed.
    pub(super) fn leads_back(&self, at: usize, from: &'a str, to: &'a str) -> bool {
        self.reached(at, from).contains(&(self.newest(at, to), to))
    }
}
