//! Which version's dispatch writes a type, and for which other versions it does so too (design, section 1).
//!
//! A version that only adds to a type leaves what was there as it is, so that one dispatch writes the type in both: it
//! stands with the oldest of them, and knows what the newer ones add. A request reaches no field that its own version
//! does not have, because the rules have checked it. So a version costs what it adds and changes, and nothing for what
//! leads there.

use std::collections::BTreeSet;

use super::version::Version;
use crate::model::{Kind, Type};

/// All versions, and which of their types one dispatch writes.
pub(super) struct Families<'a> {
    /// Oldest first.
    pub versions: Vec<&'a Version<'a>>,
    /// For each version, the types that the dispatch of the version before writes too.
    extended: Vec<BTreeSet<&'a str>>,
}

impl<'a> Families<'a> {
    /// The families of a version and all before it.
    pub fn up_to(newest: &'a Version<'a>) -> Self {
        let mut versions: Vec<_> = std::iter::successors(Some(newest), |version| version.previous).collect();
        versions.reverse();
        let extended = |version: &&'a Version<'a>| {
            let names = version.schema.types.iter().map(|ty| &*ty.name);
            names.filter(|name| version.extends_dispatch(name)).collect()
        };
        let extended = versions.iter().map(extended).collect();
        Self { versions, extended }
    }

    /// The oldest version whose dispatch of the type is that of the version at `at`.
    pub fn oldest(&self, at: usize, name: &str) -> usize {
        (1..=at).rev().find(|at| !self.extended[*at].contains(name)).unwrap_or(0)
    }

    /// The newest version that has the dispatch of the version at `at` for the type: the one that says all its fields.
    pub fn newest(&self, at: usize, name: &str) -> usize {
        let breaks = |next: &usize| !self.extended[*next].contains(name);
        (at + 1..self.versions.len()).find(breaks).unwrap_or(self.versions.len()) - 1
    }

    /// The type as the newest version of its family has it, and the place of that version.
    pub fn whole(&self, at: usize, name: &str) -> Option<(usize, &'a Type)> {
        let newest = self.newest(at, name);
        Some((newest, self.versions[newest].get(name)?))
    }

    /// Every type that is written on the way down from a type, each with the newest version of its family.
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

    /// Whether anything in or below the type is resolved.
    pub fn is_lazy(&self, at: usize, name: &'a str) -> bool {
        self.reached(at, name).into_iter().any(|(at, name)| {
            let version = self.versions[at];
            version.get(name).is_some_and(|ty| {
                matches!(ty.kind, Kind::Object { .. }) && ty.fields().iter().any(|field| version.resolved(ty, field))
            })
        })
    }

    /// Whether the type called `from` can lead back to `to`: the future of such a field must be boxed.
    pub fn leads_back(&self, at: usize, from: &'a str, to: &'a str) -> bool {
        self.reached(at, from).contains(&(self.newest(at, to), to))
    }
}
