//! The signature of notifications: how to make it, how to check it, and why one does not match.
//!
//! Called by the webhook worker, by `webhook verify` and by the receiver of the demo. Pure: the time is a parameter.

#![warn(missing_docs)]

mod body_variants;
pub mod diagnosis;
pub mod signature;
