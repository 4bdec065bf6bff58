//! Version 2027-01: what it adds to 2026-10, one file for each trait.

mod card;
mod mutation;
mod query;
mod vocabulary;
mod webhook_delivery;
mod webhook_subscription;
