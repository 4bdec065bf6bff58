//! The checks of `cargo schema`: lint, compatibility, published versions, waivers.
//!
//! [`project`] runs all of them on `schema/` and `generated/`. Every check returns [`finding::Finding`]s, which [`output`]
//! writes.

pub mod begin;
pub mod branch;
pub mod compat;
pub mod contract;
mod deprecated_before_removal;
mod ending;
pub mod finding;
mod frozen;
pub mod git;
pub mod introspection;
pub mod levels;
pub mod lint;
mod load;
mod notice;
pub mod operations;
pub mod output;
mod payload;
pub mod project;
pub mod publish;
pub mod registry;
mod sign_off;
pub mod usage;
mod waiver;
pub mod written;
