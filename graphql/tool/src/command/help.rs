//! `completions` and `man`, from the definition of the command line.

use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Cli;
use super::exit::{Exit, Failure};

const PROGRAM: &str = "cargo-schema";

/// Returns the completions of a shell.
pub(super) fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut definition(), PROGRAM, &mut script);
    // The hyphen of the program's name has two spellings in the script of bash (https://github.com/clap-rs/clap/issues/6421).
    String::from_utf8_lossy(&script).replace("cargo__subcmd__schema__", "cargo__schema__")
}

/// Writes a page for the program and for each command into a folder, which is created.
pub(super) fn manual(folder: &Path) -> Result<Exit, Failure> {
    std::fs::create_dir_all(folder)?;
    clap_mangen::generate_to(definition(), folder)?;
    println!("Wrote the manual pages: man {}", folder.join(PROGRAM).with_extension("1").display());
    Ok(Exit::Ok)
}

/// The command line under the name of the program, which cargo finds.
fn definition() -> clap::Command {
    Cli::command().name(PROGRAM).bin_name(PROGRAM).disable_help_subcommand(true)
}
