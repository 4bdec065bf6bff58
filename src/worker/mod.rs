//! Background work: each worker is a loop around one public `step()`, which tests call directly.
//!
//! Started and stopped by `app`.

pub mod activation;
pub(crate) mod certificate;
pub mod delivery;
pub mod housekeeping;
pub mod mail;
mod poll_loop;
pub mod upkeep;

pub use poll_loop::{Step, Worker};
