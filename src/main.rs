//! The binary `card-service`: the server and the operator's commands (decisions, section 9).

use std::process::ExitCode;

use mimalloc as _; // replaces the allocator of the C library, which the code of Rust and SQLite calls

fn main() -> ExitCode {
    card_service::cli::main()
}
