//! Decides which version owns the dispatch of a type: the one whose code writes the type for newer versions too.
//!
//! A version that only adds fields to a type shares the dispatch of the previous version. The oldest version that shares it
//! owns it, and its code also has the fields that newer versions add. A request cannot select a field that its own version
//! does not have, because validation refuses it. So a new version generates code only for what it adds or changes.

use std::collections::BTreeSet;

use schema::model::{Kind, Type};

use super::graph::Graph;
use super::version::{Version, below};

/// All versions, and the types whose dispatch they share.
pub(super) struct DispatchOwners<'a> {
    /// Oldest first.
    pub versions: Vec<&'a Version<'a>>,
    /// For each version, the types that share the dispatch of the previous version.
    extended: Vec<BTreeSet<&'a str>>,
    /// For each version, the index in `graph` of its first type.
    firsts: Vec<usize>,
    /// The types of all versions. An edge leads to the newest version that shares a dispatch, which has all fields.
    graph: Graph,
    /// The nodes of `graph` in or below which a field is resolved.
    resolved: Vec<bool>,
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
        let counts = versions.iter().map(|version| version.schema.types.len());
        let firsts = counts.scan(0, |first, count| Some(std::mem::replace(first, *first + count))).collect();
        let mut owners = Self { versions, extended, firsts, graph: Graph::new(vec![]), resolved: vec![] };
        owners.graph = Graph::new(owners.all().map(|(at, ty)| owners.below(at, ty)).collect());
        let resolved = owners.all().enumerate().filter(|(_, (at, ty))| owners.has_resolved_field(*at, ty));
        owners.resolved = owners.graph.leads_to(resolved.map(|(node, _)| node));
        owners
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

    /// Returns whether any field in or below the type is resolved.
    pub(super) fn is_async(&self, at: usize, name: &str) -> bool {
        self.node(at, name).is_some_and(|node| self.resolved[node])
    }

    /// Returns whether the type `from`, of a field of `to`, can contain `to`: the future of such a field must be boxed.
    pub(super) fn leads_back(&self, at: usize, from: &str, to: &str) -> bool {
        self.node(at, from).zip(self.node(at, to)).is_some_and(|(from, to)| self.graph.in_cycle(from, to))
    }

    /// Returns the types of all versions, in the order of the nodes.
    fn all(&self) -> impl Iterator<Item = (usize, &'a Type)> {
        let types = |(at, version): (usize, &&'a Version<'a>)| version.schema.types.iter().map(move |ty| (at, ty));
        self.versions.iter().enumerate().flat_map(types)
    }

    /// Returns the node of a type in the newest version that shares its dispatch with the version at `at`.
    fn node(&self, at: usize, name: &str) -> Option<usize> {
        let newest = self.newest(at, name);
        Some(self.firsts[newest] + self.versions[newest].schema.index_of(name)?)
    }

    fn below(&self, at: usize, ty: &'a Type) -> Vec<usize> {
        below(self.versions[at].schema, ty).into_iter().filter_map(|name| self.node(at, name)).collect()
    }

    fn has_resolved_field(&self, at: usize, ty: &Type) -> bool {
        let version = self.versions[at];
        let is_object = matches!(ty.kind, Kind::Object { .. });
        let resolved = || ty.fields().iter().any(|field| version.is_async(ty, field));
        is_object && (version.schema.is_root(&ty.name) || resolved())
    }
}
