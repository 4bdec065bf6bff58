//! The checks of `cargo schema`: lint, compatibility, published versions, waivers. The commands are in [`main`].
//!
//! `project` runs all of them on `schema/` and `generated/`. Every check returns [`finding::Finding`]s, which [`output`]
//! writes.

mod command;
pub mod compat;
mod contract;
mod deprecated_before_removal;
mod ending;
pub mod finding;
mod frozen;
mod git;
mod introspection;
mod json_schema;
pub mod lint;
mod load;
mod notice;
pub mod output;
mod policy;
mod project;
pub mod registry;
pub mod usage;

pub use command::main;
