//! Version 2026-10 (specification, sections 2 and 4): one file for each trait.

pub(super) mod mutation;
pub(super) mod object;
pub(super) mod query;
