//! Webhook subscriptions and their secrets (specification, section 6; decisions W5).

mod attempt;
mod callback;
mod challenge;
pub(crate) mod inspect;
pub(crate) mod secret;
pub(crate) mod send_again;
mod subscription;
mod test_notification;

pub(crate) use attempt::attempt;
pub(crate) use send_again::{recover, redeliver};
pub(crate) use subscription::{Subscribe, UpdateSubscription, subscribe, unsubscribe, update};
pub(crate) use test_notification::send_test;
