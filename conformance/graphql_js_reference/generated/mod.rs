//! The judge's two schemas as Rust: written by the test in `generate.rs`, but for this list.

pub mod v2026_10;
pub mod vzoo;
