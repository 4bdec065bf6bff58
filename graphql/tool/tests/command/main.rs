//! Runs `cargo schema` in temporary projects, and checks exit codes and output.

#![allow(clippy::unwrap_used)] // a test may panic

mod changelog;
mod check;
mod diff;
mod docs;
mod fmt;
mod frozen;
mod help;
mod init;
mod policy;
mod project;
mod skeleton;
mod usage;
mod version;
