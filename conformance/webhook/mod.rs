//! Notifications as a receiver gets them, over real sockets (decisions W1 to W4).

pub mod arrival;
mod content;
pub mod follow;
mod order;
mod pause;
mod payload;
mod replica;
mod retry;
mod time;
