//! The receivers in docs/webhooks.

pub mod sample;
