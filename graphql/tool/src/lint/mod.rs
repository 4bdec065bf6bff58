//! Lint: rules for a schema that is valid and can still be better, by subject.
//!
//! A rule looks at a whole schema. A finding is an error in what changed since the version before; in what clients already
//! use, it is a warning.

mod definition;
mod deprecation;
mod description;
mod mutation;
mod name;
mod relay;
mod structure;
mod table;

pub use table::{RULES, Rule, lint};
