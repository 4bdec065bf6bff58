//! `cargo schema …`: the life of the schema from the command line, for CI and for whoever edits the SDL. It works while
//! the server does not compile: nothing here is generated.
//!
//! Exit code 0: all is well. 1: the tool could not do its work. 4: generated files are stale. 100: there are findings.

mod changelog;
mod check;
mod diff;
mod docs;
mod exit;
mod generate;
mod lint;
mod new;
mod publish;
mod rules;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use exit::{Exit, Failure};
use schema_tool::check::day::Day;
use schema_tool::check::output::Format;

/// The life of the schema.
#[derive(Parser)]
#[command(name = "cargo schema", bin_name = "cargo schema")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    place: Place,
}

/// Where and when a command works.
#[derive(clap::Args)]
struct Place {
    /// The folder that holds schema/ and generated/; by default that of this workspace.
    #[arg(long, global = true)]
    root: Option<PathBuf>,
    /// The day to take for today, for a result that can be repeated.
    #[arg(long, global = true, value_name = "YYYY-MM-DD", value_parser = day)]
    today: Option<Day>,
}

impl Place {
    fn root(&self) -> PathBuf {
        let workspace =
            || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(PathBuf::from).unwrap_or_default();
        self.root.clone().unwrap_or_else(workspace)
    }

    fn today(&self) -> Day {
        self.today.unwrap_or_else(Day::today)
    }
}

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Diff(diff::Args),
    Lint(lint::Args),
    Generate(generate::Args),
    New(new::Args),
    Publish(publish::Args),
    Changelog(changelog::Args),
    Docs(docs::Args),
    Rules(rules::Args),
}

/// How findings are written down.
#[derive(clap::Args)]
struct Shown {
    /// How to write findings down.
    #[arg(long, value_enum, default_value = "human")]
    format: Chosen,
}

/// A format by its name on the command line.
#[derive(Clone, Copy)]
struct Chosen(usize);

impl clap::ValueEnum for Chosen {
    fn value_variants<'a>() -> &'a [Self] {
        &[Chosen(0), Chosen(1), Chosen(2), Chosen(3), Chosen(4), Chosen(5)]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Format::ALL.get(self.0).map(|(name, _)| clap::builder::PossibleValue::new(*name))
    }
}

impl Shown {
    fn format(&self) -> Format {
        Format::ALL[self.format.0].1
    }
}

fn day(text: &str) -> Result<Day, String> {
    Day::parse(text).ok_or_else(|| format!("`{text}` is no day: write `2026-11-21`"))
}

fn main() -> ExitCode {
    let Cli { command, place } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            // Help was asked for, or the command was wrong.
            return if error.use_stderr() { Exit::Tool.into() } else { Exit::Fine.into() };
        }
    };
    let done = match command {
        Command::Check(args) => check::run(&args, &place),
        Command::Diff(args) => diff::run(&args, &place),
        Command::Lint(args) => lint::run(&args, &place),
        Command::Generate(args) => generate::run(&args, &place),
        Command::New(args) => new::run(&args, &place),
        Command::Publish(args) => publish::run(&args, &place),
        Command::Changelog(args) => changelog::run(&args, &place),
        Command::Docs(args) => docs::run(&args, &place),
        Command::Rules(args) => rules::run(&args, &place),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(Failure(causes)) => {
            eprintln!("error: {causes}");
            Exit::Tool.into()
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
        assert_eq!(super::Chosen::value_variants().len(), super::Format::ALL.len());
    }
}
