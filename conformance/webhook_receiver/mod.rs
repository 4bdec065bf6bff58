//! Receivers of notifications: the samples of docs/webhooks, the public libraries for verification, and `webhook verify` on
//! a changed notification.

mod diagnosis;
mod library;
mod notification;
pub mod sample;
