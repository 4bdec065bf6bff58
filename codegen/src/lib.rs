//! From SDL to Rust: reads the files of `schema/`, checks them, and writes the typed resolver traits of `generated/`.
//!
//! load -> parse -> check -> lower -> emit -> sync; only the first and the last touch files. The server itself uses only
//! [`model`] and [`shape`] (no feature `emit`, so no syn and no quote in the binary).

mod diagnostic;
pub mod model;
mod nearest;
mod parse;
mod rule;
pub mod shape;

pub use diagnostic::{Diagnostic, Report, Span};
pub use nearest::nearest;
