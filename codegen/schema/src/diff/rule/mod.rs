//! The rules: one for each kind of change, in tables by subject.

mod definition;
mod directive;
mod enum_value;
mod field;
mod figure;
mod input;
mod named_type;
mod schema;
mod table;
mod usage;

pub use definition::{Level, Rule};
pub use table::rules;
pub(super) use table::rules_of;
