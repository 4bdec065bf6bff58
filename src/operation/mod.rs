//! Operations: what a partner, the family or the operator can do.
//!
//! Called by resolvers, pages, the operator's commands and workers. An operation checks its input, does the network calls
//! (DNS, the portrait), and then writes the change and its event in one transaction, with no network while it is open.

mod address;
pub mod admin;
pub mod backup;
mod caller;
pub mod card;
mod failure;
pub mod invitee;
pub mod key;
pub(crate) mod mail;
pub mod organisation;
pub mod partner;
pub mod photo;
pub(crate) mod report;
pub mod retention;
pub mod session;
pub(crate) mod theme;
pub(crate) mod usage;
pub mod version;
pub mod webhook;

pub use caller::Caller;
pub use failure::{Failure, OperationError};
