//! Subscriptions to what happens to cards (specification, section 6; decisions W5).

mod callback;
pub mod secret;
mod subscribe;
mod unsubscribe;

pub use subscribe::{Subscribe, subscribe};
pub use unsubscribe::unsubscribe;
