//! Version 2026-10 (specification, sections 2 and 4): one file for each trait.

mod card;
pub(super) mod connection;
pub(super) mod mutation;
pub(super) mod query;
mod theme;
pub(super) mod user_error;
pub(super) mod vocabulary;
mod webhook_subscription;
