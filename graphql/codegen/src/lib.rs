//! Generates `generated/` from the SDL files of `schema/`. Build scripts call [`build`].
//!
//! The steps are load, parse, check, lower, emit, sync; only the first and the last touch files.

mod build;
pub mod drawing;
pub mod emit;
pub mod load;
pub mod notes;
pub mod rule;
pub mod stub;
pub mod sync;
pub mod versions;

pub use build::{BuildError, Mode, Outcome, build, build_script};
pub use sync::Difference;
