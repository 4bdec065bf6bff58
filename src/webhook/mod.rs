//! The request of a notification and its signature: how to make it, to send it, and to check it.
//!
//! Called by the webhook worker, for a test notification, by `webhook verify` and by the receiver of the demo.

#![warn(missing_docs)]

mod attempt;
pub mod request;
pub mod signature;

pub(crate) use attempt::attempt;
