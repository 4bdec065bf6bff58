//! Webhook subscriptions and their secrets (specification, section 6; decisions W5).

mod callback;
pub mod inspect;
pub mod secret;
pub mod send_again;
mod subscription;

pub use send_again::redeliver;
pub use subscription::{Subscribe, UpdateSubscription, subscribe, unsubscribe, update};
