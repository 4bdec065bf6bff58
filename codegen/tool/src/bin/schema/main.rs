//! `cargo schema`: generates code from the schema and checks it. It runs when the server does not compile, because it
//! links nothing that is generated.
//!
//! Exit codes: 0, no errors; 1, the command could not run; 4, generated files are stale; 100, there are errors to fix.

mod changelog;
mod check;
mod docs;
mod environment;
mod exit;
mod fetch;
mod fmt;
mod generate;
mod input;
mod skeleton;
mod version;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chrono::{NaiveDate, Utc};
use clap::{Parser, Subcommand};
use exit::{Exit, Failure};
use schema_tool::check::output::Format;

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
struct Project {
    /// The folder that holds schema/ and generated/; by default that of this workspace.
    #[arg(long, global = true)]
    root: Option<PathBuf>,
    /// The day to take for today, for a result that can be repeated.
    #[arg(long, global = true, value_name = "YYYY-MM-DD", value_parser = day)]
    today: Option<NaiveDate>,
}

impl Project {
    fn root(&self) -> PathBuf {
        let workspace = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(PathBuf::from);
        self.root.clone().or_else(workspace).unwrap_or_default()
    }

    #[allow(clippy::disallowed_methods)] // a build tool without the server's clock; tests pass `--today`
    fn today(&self) -> NaiveDate {
        self.today.unwrap_or_else(|| Utc::now().date_naive())
    }
}

#[derive(Subcommand)]
enum Command {
    Check(check::Check),
    Diff(check::Diff),
    Lint(check::Lint),
    Generate(generate::Generate),
    Fmt(fmt::Fmt),
    Watch(watch::Watch),
    New(version::New),
    Publish(version::Publish),
    Changelog(changelog::Changelog),
    Docs(docs::Docs),
    Rules(docs::Rules),
    Explain(docs::Explain),
    Skeleton(skeleton::Skeleton),
}

/// The option of every command that prints findings.
#[derive(clap::Args)]
struct FormatArgs {
    /// How to write findings down.
    #[arg(long, value_enum, default_value = "human")]
    format: FormatIndex,
}

/// An index into [`Format::ALL`], which has the names for the command line.
#[derive(Clone, Copy)]
struct FormatIndex(usize);

impl clap::ValueEnum for FormatIndex {
    fn value_variants<'a>() -> &'a [Self] {
        &[FormatIndex(0), FormatIndex(1), FormatIndex(2), FormatIndex(3), FormatIndex(4)]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Format::ALL.get(self.0).map(|(name, _)| clap::builder::PossibleValue::new(*name))
    }
}

impl FormatArgs {
    fn format(&self) -> Format {
        Format::ALL[self.format.0].1
    }
}

fn day(text: &str) -> Result<NaiveDate, String> {
    text.parse().map_err(|_| format!("`{text}` is no day: write `2026-11-21`"))
}

fn main() -> ExitCode {
    let Cli { command, project } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            // Clap also returns an error for `--help`, which prints to stdout.
            return if error.use_stderr() { Exit::ToolFailed.into() } else { Exit::Ok.into() };
        }
    };
    let done = match command {
        Command::Check(command) => command.run(&project),
        Command::Diff(command) => command.run(&project),
        Command::Lint(command) => command.run(&project),
        Command::Generate(command) => command.run(&project),
        Command::Fmt(command) => command.run(&project),
        Command::Watch(command) => command.run(&project),
        Command::New(command) => command.run(&project),
        Command::Publish(command) => command.run(&project),
        Command::Changelog(command) => command.run(&project),
        Command::Docs(command) => command.run(&project),
        Command::Rules(command) => command.run(&project),
        Command::Explain(command) => command.run(&project),
        Command::Skeleton(command) => command.run(&project),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(Failure(message)) => {
            eprintln!("error: {message}");
            Exit::ToolFailed.into()
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

    #[test]
    fn format_has_a_name_for_every_way_to_write() {
        use clap::ValueEnum;
        assert_eq!(super::FormatIndex::value_variants().len(), super::Format::ALL.len());
    }
}
