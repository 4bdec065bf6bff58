//! Version 2026-10 (specification, sections 2 and 4): the queries, the mutations, and the objects with their inputs and enums.

pub(super) mod mutation;
pub(super) mod object;
pub(super) mod query;
