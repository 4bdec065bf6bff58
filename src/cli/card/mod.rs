//! `card find|show|order|activate|delete|purge-test|export`.

mod command;
mod delete;
mod export;
mod find_one;

pub(super) use command::{CardCommand, run};
pub(super) use find_one::find_one;
