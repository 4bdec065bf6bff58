//! From the command line to the command: reads it, sets up what the command needs, and turns its end into an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use super::definition::{Cli, Command};
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::webhook::{self, WebhookCommand};
use super::{card, demo, key, partner, serve, theme, usage, version};
use crate::app::{self, Settings, start_telemetry};
use crate::base::{Clock, Entropy};
use crate::outbound::Names;

/// Runs the command that was typed.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(CliFailure::from)
        .and_then(|runtime| runtime.block_on(run(cli)));
    match done {
        Ok(code) => code,
        Err(failure) => {
            // With stderr closed there is nobody to tell; the exit code still says it.
            let _ = writeln!(io::stderr(), "{}", failure.report());
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<ExitCode, CliFailure> {
    let stdout = Stdout { json: cli.json };
    let log = match cli.command {
        Command::Serve | Command::Demo => "info",
        _ => "warn", // a command says on stdout what it did
    };
    start_telemetry(environment("RUST_LOG").as_deref(), log);
    match cli.command {
        Command::Serve => serve::run(stdout).await?,
        Command::Demo => demo::run(stdout).await?,
        Command::Webhook(WebhookCommand::Verify(command)) => return webhook::verify(command, stdout),
        command => operate(command, stdout).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a command that needs the services but no server.
async fn operate(command: Command, stdout: Stdout) -> Result<(), CliFailure> {
    let settings = settings(environment)?;
    let (services, closer) = app::services(&settings, Clock::system(), Entropy::system(), Names::system()).await?;
    let done = match command {
        Command::Partner(command) => partner::run(&services, command, stdout).await,
        Command::Key(command) => key::run(&services, command, stdout).await,
        Command::Theme(command) => theme::run(&services, command, stdout).await,
        Command::Card(command) => card::run(&services, command, stdout).await,
        Command::Version(command) => version::run(&services, command, stdout).await,
        Command::Usage(command) => usage::run(&services, command, stdout).await,
        Command::Webhook(command) => webhook::run(&services, command, stdout).await,
        Command::Serve | Command::Demo => unreachable!("a server was started for these"),
    };
    drop(services);
    closer.close().await;
    done
}

/// The settings, all their mistakes at once.
pub(super) fn settings(variable: impl Fn(&str) -> Option<String>) -> Result<Settings, CliFailure> {
    Settings::from_env(variable).map_err(CliFailure::Settings)
}

/// The value of an environment variable.
#[allow(clippy::disallowed_methods)] // the one door through which the environment comes in
pub(super) fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
