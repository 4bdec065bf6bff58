//! Webhook subscriptions and their secrets (specification, section 6; decisions W5).

pub mod delivery;
pub mod secret;
mod subscription;

pub use delivery::{recover, redeliver, send_test};
pub use subscription::{Subscribe, UpdateSubscription, subscribe, unsubscribe, update};
