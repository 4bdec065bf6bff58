//! The checks of `cargo schema`: lint, compatibility, published versions, waivers. The binary is in `bin/schema`.
//!
//! [`project`] runs all of them on `schema/` and `generated/`. Every check returns [`finding::Finding`]s, which [`output`]
//! writes.

pub mod begin;
pub mod compat;
pub mod contract;
mod deprecated_before_removal;
mod ending;
pub mod finding;
mod frozen;
pub mod git;
mod json_schema;
pub mod lint;
mod load;
mod notice;
pub mod output;
mod policy;
pub mod project;
pub mod publish;
pub mod registry;
pub mod usage;
pub mod written;
