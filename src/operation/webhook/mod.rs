//! Webhook subscriptions and their secrets (specification, section 6; decisions W5).

mod callback;
mod challenge;
pub(crate) mod inspect;
pub mod secret;
pub mod send_again;
mod subscription;
mod test_notification;

pub use send_again::{recover, redeliver};
pub use subscription::{Subscribe, UpdateSubscription, subscribe, unsubscribe, update};
pub use test_notification::send_test;
