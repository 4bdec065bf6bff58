//! Subscriptions to what happens to cards (specification, section 6; decisions W5).

mod callback;
pub mod secret;
pub mod send_again;
mod subscribe;
pub mod survey;
mod unsubscribe;

pub use subscribe::{Subscribe, subscribe};
pub use unsubscribe::unsubscribe;
