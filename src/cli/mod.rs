//! The command line of the operator: `card-service <command>` (decisions, section 9).
//!
//! Each noun has one file with its commands, what they change (`audit_entry`) and `run`, which calls an operation and prints
//! the result. `definition` lists the nouns; `run` sets up the services. Output is tables and sentences, or with `--json`
//! the one object of `view`. A failure is a sentence on stderr, with `--json` also an object on stdout, and exit code 1; a
//! wrong command line is exit code 2. A command that destroys data requires `--yes`, and without it reports what it would do.

mod admin;
mod audit;
mod backup;
mod bundled_themes;
mod card;
mod database;
mod definition;
mod demo;
mod demo_receiver;
mod doctor;
mod duration;
mod failure;
mod help;
mod invitees;
mod key;
mod mail;
mod output;
mod partner;
mod progress;
mod report;
mod retention;
mod run;
mod serve;
mod session;
mod sources;
mod system_user;
mod theme;
mod transfer;
mod usage;
mod version;
mod view;
mod webhook;

pub use definition::Cli;
pub use run::main;
