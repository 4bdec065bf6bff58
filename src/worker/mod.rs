//! What the service sends out after a change was committed: workers, each a loop around one public `step()` (design 4).
//!
//! Started by `app`.

pub mod activation;
pub mod diagnosis;
pub mod mail;
pub mod rendering;
pub mod signature;
pub mod sink;
pub mod usage;
pub mod version;
pub mod webhook;
mod worker;

pub use worker::{Step, Worker};
