//! Implements the generated traits: translates between the schema and the operations, without rules.
//!
//! Called by the engine through generated dispatch. A folder per version holds what that version added; what it shares
//! with an older version is implemented there, once.

mod context;
mod page;
mod v2026_10;
mod v2027_01;

pub(crate) use context::Context;
