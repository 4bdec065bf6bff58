//! `card list|show|order|activate|take-offline|delete|export`.

mod command;
mod delete;
mod export;
mod find_one;
mod list;

pub(super) use command::{CardCommand, run};
pub(super) use find_one::find_one;
