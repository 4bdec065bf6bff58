//! `cargo schema …`: the generator by hand, for CI and for whoever edits the SDL without building the server.

use std::path::Path;
use std::process::ExitCode;

use codegen::emit::Names;
use codegen::{Difference, Mode, build};

const USAGE: &str = "usage: cargo schema generate [--check]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mode = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["generate"] => Mode::Write,
        ["generate", "--check"] => Mode::Check,
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    // The workspace, wherever in it the command is run.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    match build(root, &Names::default(), mode) {
        Ok(outcome) => {
            let Difference { missing, stale, extra, .. } = outcome.changed;
            missing.iter().chain(&stale).for_each(|path| println!("wrote generated/{path}"));
            extra.iter().for_each(|path| println!("deleted generated/{path}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprint!("{}", error.pictures());
            error.lines().iter().for_each(|line| eprintln!("error: {line}"));
            ExitCode::FAILURE
        }
    }
}
