//! `completions` and `man`: the help of the program for shells and for man(1), from the definition of the command line.

use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use serde_json::json;

use super::definition::Cli;
use super::failure::{CliError, CliFailure};
use super::output::Output;

const PROGRAM: &str = "card-service";

/// Prints the completions of a shell.
pub(super) fn completions(shell: Shell, output: Output) -> Result<(), CliFailure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition(), PROGRAM, &mut script);
    // The hyphen of the program's name has two spellings in the script of bash (https://github.com/clap-rs/clap/issues/6421).
    let script = String::from_utf8_lossy(&script).replace("card__subcmd__service__", "card__service__");
    output.show_safe(&json!({ "completions": script }), || script.clone())
}

/// Writes a page for the program and for each command into a folder, which is created.
pub(super) fn manual(folder: &Path, output: Output) -> Result<(), CliFailure> {
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(definition(), folder));
    written.map_err(|error| CliError::Write(folder.to_owned(), error))?;
    let first = folder.join(format!("{PROGRAM}.1")).display().to_string();
    output.show(&json!({ "manual": first }), || format!("Wrote the manual pages: man {first}"))
}

/// The command line as its help describes it. Pages of the hidden `help` commands would say nothing more.
fn definition() -> Command {
    Cli::command().disable_help_subcommand(true)
}
