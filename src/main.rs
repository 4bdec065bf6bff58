//! The binary `card-service`: the server and the operator's commands (decisions, section 9).

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    card_service::cli::main()
}
