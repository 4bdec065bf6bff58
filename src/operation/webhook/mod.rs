//! Webhook subscriptions and their secrets (specification, section 6; decisions W5).

mod callback;
pub(crate) mod inspect;
pub(crate) mod secret;
pub(crate) mod send_again;
mod subscription;

pub(crate) use send_again::redeliver;
pub(crate) use subscription::{Subscribe, UpdateSubscription, subscribe, unsubscribe, update};
