//! From the schema to the service: the generated traits, implemented. Translation only, no rule of the service.
//!
//! Called by the engine through generated dispatch. A folder per version holds what that version added; what it shares
//! with an older version is implemented there, once (design 1).

mod context;
mod cursor;
mod outcome;
mod page;
#[cfg(test)]
mod tests;
mod v2026_10;
mod v2027_01;

pub use context::Context;
