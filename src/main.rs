//! The binary `card-service`: the server and the operator's commands (decisions, section 9).

use std::process::ExitCode;

use mimalloc as _; // its `malloc` replaces that of the C library, also for SQLite

fn main() -> ExitCode {
    card_service::cli::main()
}
