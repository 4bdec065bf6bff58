//! The queries of section 4.1, one file per root field.

mod card;
mod card_moments;
mod node;
mod page;
mod theme;
mod themes;
mod webhook_subscriptions;
