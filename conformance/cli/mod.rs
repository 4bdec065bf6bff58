//! The operator's commands, run as an operator runs them: the real binary (decisions, section 9).

mod card;
mod demo;
mod key;
mod partner;
mod serve;
mod theme;
mod usage;
mod version;
mod webhook_delivery;
mod webhook_secret;
mod webhook_verify;
