//! `cargo schema …` as it is run: in a project of its own, by its exit code and by what it says.

#![allow(clippy::unwrap_used)] // a failure of a test

#[path = "command/project.rs"]
mod project;

#[path = "command/check.rs"]
mod check;
#[path = "command/frozen.rs"]
mod frozen;
#[path = "command/life.rs"]
mod life;
#[path = "command/site.rs"]
mod site;
#[path = "command/usage.rs"]
mod usage;
#[path = "command/waiver.rs"]
mod waiver;
