//! The request of a notification and its signature: how to make it, how to check it, and why one does not match.
//!
//! Called by the operation that attempts a delivery, by `webhook verify` and by the receiver of the demo. Pure: the time is a parameter.

#![warn(missing_docs)]

mod body_variants;
pub mod diagnosis;
pub mod request;
pub mod signature;
