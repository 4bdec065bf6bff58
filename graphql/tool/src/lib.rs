//! Generates `generated/` from the SDL files of `schema/`, and checks how the schemas change.
//!
//! The steps are load, parse, check, lower, emit, sync; only the first and the last touch files. The build script of the
//! server calls [`build`]. `cargo schema` is the binary of this crate; its checks are in `check` (feature `check`).

mod build;
#[cfg(feature = "check")]
pub mod check;
pub mod emit;
pub mod load;
mod picture;
mod rule;
mod sync;
pub mod versions;

pub use build::{BuildError, Mode, Outcome, build};
pub use sync::Difference;
