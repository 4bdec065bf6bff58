//! The binary `card-service`: the server and the operator's commands (decisions, section 9).

use std::process::ExitCode;

fn main() -> ExitCode {
    card_service::cli::main()
}
