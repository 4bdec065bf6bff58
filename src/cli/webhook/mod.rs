//! `webhook …`: subscriptions, the notifications sent to them, secrets, and a check of signatures.

mod command;
mod inspect;
mod secret;
mod send_again;
mod verify;
mod view;

pub(super) use command::{WebhookCommand, run};
pub(super) use secret::shown_once;
pub(super) use verify::run as verify;
pub(super) use view::SecretView;

/// The environment variable of the signing secret, for `verify`.
const SECRET_VARIABLE: &str = "WEBHOOK_SECRET";
