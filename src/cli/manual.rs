//! `completions` and `man`: the command line, as shells and readers of manuals take it. They need no database.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;
use serde_json::json;

use super::definition::Cli;
use super::failure::CliFailure;
use super::output::Output;

/// Prints the completions of a shell. A reader that closes the pipe is no failure.
pub(super) fn completions(shell: Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "card-service", &mut script);
    let _ = io::stdout().write_all(&script);
    ExitCode::SUCCESS
}

/// Writes the pages of the manual, in section 1, into a folder that exists.
pub(super) fn pages(folder: &Path, output: Output) -> Result<(), CliFailure> {
    let failed = |error| CliFailure::Write(folder.to_owned(), error);
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
    let page = folder.join("card-service.1");
    output.show(&json!({ "manual": page }), || format!("Read it with: man -l {}", page.display()))
}
