//! The life of a schema: what may become of a version, and what must be said of it. `cargo schema …` is built on it.
//!
//! [`project`] puts everything together: mistakes, lint, changes since the version before, published versions that must
//! stay as they are, waivers, and `generated/`. Everything ends in [`finding::Finding`]s, which [`output`] writes down.

pub mod begin;
pub mod contract;
pub mod day;
pub mod finding;
mod frozen;
pub mod git;
pub mod judge;
pub mod lint;
mod load;
pub mod output;
pub mod project;
pub mod publish;
pub mod registry;
pub mod usage;
mod waiver;
