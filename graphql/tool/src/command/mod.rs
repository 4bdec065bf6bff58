//! The commands of `cargo schema`. It runs when the server does not compile, because it links nothing that is generated.
//!
//! Exit codes: 0, no errors; 1, the command could not run; 4, generated files are stale; 100, there are errors to fix.

mod changelog;
mod check;
mod docs;
mod exit;
mod fmt;
mod generate;
mod help;
mod init;
mod input;
mod skeleton;
mod version;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chrono::{NaiveDate, Utc};
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use exit::{Exit, Failure};

/// Generates code from the schema and checks it.
#[derive(Parser)]
#[command(name = "cargo schema", bin_name = "cargo schema", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    project: Project,
}

/// The options of every command.
#[derive(clap::Args)]
pub(crate) struct Project {
    /// The folder that holds schema/ and generated/; by default the nearest above the current folder.
    #[arg(long, global = true, default_value_os_t = find_root())]
    root: PathBuf,
    /// The day to take for today, for a result that can be repeated.
    #[arg(long, global = true, value_name = "YYYY-MM-DD", default_value_t = today())]
    today: NaiveDate,
}

/// Returns the nearest folder with schema/versions.toml, from the current one upwards.
fn find_root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let has_schema = |folder: &&Path| folder.join("schema/versions.toml").is_file();
    here.ancestors().find(has_schema).unwrap_or(&here).to_owned()
}

#[allow(clippy::disallowed_methods)] // a build tool without the server's clock; tests pass `--today`
fn today() -> NaiveDate {
    Utc::now().date_naive()
}

#[derive(Subcommand)]
enum Command {
    Init(init::Init),
    Check(check::Check),
    Diff(check::Diff),
    Lint(check::Lint),
    Generate(generate::Generate),
    Fmt(fmt::Fmt),
    New(version::New),
    Publish(version::Publish),
    Changelog(changelog::Changelog),
    Docs(docs::Docs),
    Skeleton(skeleton::Skeleton),
    /// Print every rule with its level, in Markdown.
    Rules,
    /// Print the completions of a shell for `cargo-schema`.
    Completions {
        shell: Shell,
    },
    /// Write manual pages, for man(1), into a folder.
    Man {
        folder: PathBuf,
    },
}

/// Returns the arguments of the program, without the name of the command that cargo passes to `cargo-schema`.
fn arguments() -> impl Iterator<Item = OsString> {
    std::env::args_os()
        .enumerate()
        .filter(|(at, argument)| *at != 1 || argument != "schema")
        .map(|(_, argument)| argument)
}

/// Runs the command of the program's arguments.
pub fn main() -> ExitCode {
    let Cli { command, project } = match Cli::try_parse_from(arguments()) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            // Clap also returns an error for `--help`, which prints to stdout.
            return if error.use_stderr() { Exit::ToolFailed.into() } else { Exit::Ok.into() };
        }
    };
    let done = match command {
        Command::Init(command) => command.run(&project),
        Command::Check(command) => command.run(&project),
        Command::Diff(command) => command.run(&project),
        Command::Lint(command) => command.run(&project),
        Command::Generate(command) => command.run(&project),
        Command::Fmt(command) => command.run(&project),
        Command::New(command) => command.run(&project),
        Command::Publish(command) => command.run(&project),
        Command::Changelog(command) => command.run(&project),
        Command::Docs(command) => command.run(&project),
        Command::Skeleton(command) => command.run(&project),
        Command::Completions { shell } => exit::print(&help::completions(shell)).map(|()| Exit::Ok),
        Command::Man { folder } => help::manual(&folder),
        Command::Rules => exit::print(&crate::registry::page()).map(|()| Exit::Ok),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(Failure::Message(message)) => {
            eprintln!("error: {message}");
            Exit::ToolFailed.into()
        }
        Err(Failure::Mistakes(findings)) => {
            let _ = exit::print_findings(&findings); // the exit code says it to a reader that has gone
            Exit::Findings.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn command_line_is_defined_without_contradictions() {
        super::Cli::command().debug_assert();
    }
}
