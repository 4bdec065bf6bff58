//! Webhook subscriptions and their secrets (specification, section 6; decisions W5).

mod callback;
pub mod inspect;
mod redeliver;
pub mod secret;
pub mod send_again;
mod subscribe;
mod unsubscribe;
mod update;

pub use redeliver::redeliver;
pub use subscribe::{Subscribe, subscribe};
pub use unsubscribe::unsubscribe;
pub use update::{UpdateSubscription, update};
