//! From SDL to Rust: reads the files of `schema/`, checks them, and writes the typed resolver traits of `generated/`.
//!
//! load -> parse -> check -> lower -> emit -> sync; only the first and the last touch files. The build calls [`build`]
//! (feature `emit`). The server itself uses only [`model`] and [`shape`]: no syn and no quote in its binary. What becomes
//! of a schema over the years is [`life`] (feature `life`), which `cargo schema` is made of.

#[cfg(feature = "emit")]
mod build;
pub mod changelog;
pub mod coordinate;
mod diagnostic;
pub mod diff;
pub mod docs;
#[cfg(feature = "emit")]
pub mod emit;
#[cfg(feature = "life")]
pub mod life;
#[cfg(feature = "emit")]
mod load;
pub mod model;
mod nearest;
mod parse;
pub mod place;
mod rule;
mod sdl;
pub mod shape;
#[cfg(feature = "emit")]
mod sync;
#[cfg(feature = "emit")]
pub mod versions;

#[cfg(feature = "emit")]
pub use build::{BuildError, Mode, Outcome, build};
pub use diagnostic::{Diagnostic, Report, Span};
pub use nearest::nearest;
pub use sdl::Sdl;
#[cfg(feature = "emit")]
pub use sync::Difference;
