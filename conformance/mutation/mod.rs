//! The mutations of section 4.2, one file per root field, and files for what several share.

mod card_create;
mod card_session_create;
mod card_update;
mod card_value;
mod photo;
mod photo_address;
mod three_states;
mod webhook_challenge;
mod webhook_deliveries_recover;
mod webhook_delivery_redeliver;
mod webhook_subscription_create;
mod webhook_subscription_delete;
mod webhook_subscription_secret_rotate;
mod webhook_subscription_test;
mod webhook_subscription_update;
