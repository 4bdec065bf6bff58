//! The far end of a notification: the samples of docs/webhooks, the public libraries that partners verify with, and what
//! `webhook verify` makes of a notification that a receiver changed.

mod diagnosis;
mod library;
mod notification;
mod sample;
