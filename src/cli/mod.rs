//! The command line of the operator: `card-service <command>` (decisions, section 9).
//!
//! One thin file per command: it reads what was typed, calls an operation and shows the result. Called by the binary
//! alone. Tables and sentences are for people; `--json` gives the one object of `view` for scripts. What went wrong is
//! a sentence on stderr and exit code 1; a wrong command line is exit code 2. What destroys something asks for `--yes`, and
//! says without it what it would do. Every change is noted (`audit.rs`).

mod audit;
mod backup;
mod card;
mod definition;
mod demo;
mod failure;
mod init;
mod invitees;
mod key;
mod owner;
mod partner;
mod progress;
mod report;
mod run;
mod serve;
mod session;
mod shipped;
mod span;
mod stdout;
mod table;
mod theme;
mod usage;
mod version;
mod view;
mod webhook;

pub use definition::Cli;
pub use run::main;
