//! The operator's commands, run as an operator runs them: the real binary (decisions, section 9).

mod admin;
mod backup;
mod backup_media;
mod card;
mod database;
mod deletion;
mod demo;
mod doctor;
mod key;
mod manual;
mod migrate;
mod offline;
mod operator;
mod partner;
mod private;
mod retention;
mod serve;
mod session;
mod supervised;
mod theme;
mod transfer;
mod usage;
mod version;
mod webhook_delivery;
mod webhook_secret;
mod webhook_verify;
