//! Runs `cargo schema` in projects of its own, and checks exit codes and output.

#![allow(clippy::unwrap_used)] // a test may panic

mod changelog;
mod changes;
mod check;
mod diff;
mod docs;
mod fmt;
mod frozen;
mod levels;
mod operations;
mod project;
mod skeleton;
mod usage;
mod version;
mod waiver;
