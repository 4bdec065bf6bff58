//! Version 2026-10 (specification, sections 2 and 4): one file for each trait.

pub(super) mod mutation;
mod object;
pub(super) mod query;
pub(super) mod vocabulary;
