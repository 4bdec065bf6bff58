//! The far end of a notification: the samples of docs/webhooks, and the public libraries that partners verify with.

mod library;
mod notification;
mod sample;
