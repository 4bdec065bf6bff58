//! Notifications as a receiver gets them, over real sockets (decisions W1 to W4).

mod arrival;
mod content;
mod crash;
pub mod follow;
mod guard;
mod mode;
mod order;
mod pause;
mod replica;
mod retry;
mod wake;
