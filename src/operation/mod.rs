//! The verbs of the service: what a partner, a family or the operator can do, one file each.
//!
//! Called by the resolvers, the commands of the operator and the workers. An operation checks its input, does what has
//! to be done outside (look-ups, the portrait), and then writes once: the change and its event in one transaction, with
//! no network while it is open.

mod address;
mod caller;
pub mod card;
mod failure;
#[cfg(test)]
pub(crate) mod fixture;
pub mod invitee;
pub mod key;
pub mod partner;
pub mod photo;
pub mod report;
pub mod session;
pub mod theme;
pub mod usage;
pub mod version;
pub mod webhook;

pub use caller::{Caller, IdempotencyBinding};
pub use failure::{Failure, OperationError};

pub use crate::services::Services;
