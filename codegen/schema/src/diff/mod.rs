//! What changed between two schemas.
//!
//! `compare` pairs the elements of both schemas by coordinate. `rule` holds a rule for each kind of change: a stable id,
//! a level, a reason, and the text that describes a change. `change` asks the rules about each pair. The levels are those
//! of graphql-js (`conformance/schema_change_reference`); where ours is stricter, the rule says why. The tool's checks
//! decide what a change means for a version.

mod affected;
mod change;
mod compare;
mod compatible;
mod default;
mod element;
mod rule;

pub use affected::affected;
pub use change::{Change, find};
pub use element::Pair;
pub use rule::{Level, Rule, rules};
