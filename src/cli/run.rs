//! From the command line to the command: reads it, sets up what the command needs, and turns its end into an exit code.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;

use super::definition::{Cli, Command};
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::webhook::{self, WebhookCommand};
use super::{audit, backup, card, demo, invitees, key, partner, report, serve, session, theme, usage, version};
use crate::app::{self, ConfigFile, SettingError, Settings, start_telemetry};
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
        Command::Serve { .. } | Command::Demo => "info",
        _ => "warn", // a command says on stdout what it did
    };
    let sources = Sources::read(cli.config);
    // A command is over before anybody would look at its traces. Settings that are wrong are reported by whoever uses them.
    let traces = match cli.command {
        Command::Serve { print_config: false } | Command::Demo => {
            sources.settings(|name| sources.get(name)).ok().and_then(|settings| settings.traces)
        }
        _ => None,
    };
    let telemetry = start_telemetry(sources.get("RUST_LOG").as_deref(), log, traces.as_ref());
    let done = match cli.command {
        Command::Serve { print_config: true } => serve::print_config(&sources, stdout),
        Command::Serve { print_config: false } => serve::run(&sources, stdout).await,
        Command::Demo => demo::run(&sources, stdout).await,
        Command::Webhook(WebhookCommand::Verify(command)) => return webhook::verify(command, stdout),
        command => operate(command, &sources, stdout).await,
    };
    telemetry.end().await;
    done.map(|()| ExitCode::SUCCESS)
}

/// Runs a command that needs the services but no server.
async fn operate(command: Command, sources: &Sources, stdout: Stdout) -> Result<(), CliFailure> {
    let settings = sources.settings(|name| sources.get(name))?;
    let change = audit::change(&command);
    let (mut services, closer) = app::services(&settings, Clock::system(), Entropy::system(), Names::system()).await?;
    if let (Some(change), Some(services)) = (change, Arc::get_mut(&mut services)) {
        audit::note(services, change);
    }
    let done = match command {
        Command::Backup { file } => backup::run(&services, file, stdout).await,
        Command::Partner(command) => partner::run(&services, command, stdout).await,
        Command::Key(command) => key::run(&services, command, stdout).await,
        Command::Session(command) => session::run(&services, command, stdout).await,
        Command::Theme(command) => theme::run(&services, command, stdout).await,
        Command::Card(command) => card::run(&services, command, stdout).await,
        Command::Version(command) => version::run(&services, command, stdout).await,
        Command::Usage(command) => usage::run(&services, command, stdout).await,
        Command::Invitees(command) => invitees::run(&services, command, stdout).await,
        Command::Report(command) => report::run(&services, command, stdout).await,
        Command::Audit(command) => audit::run(&services, command, stdout).await,
        Command::Webhook(command) => webhook::run(&services, command, stdout).await,
        Command::Serve { .. } | Command::Demo => unreachable!("a server was started for these"),
    };
    drop(services);
    closer.close().await;
    done
}

/// Where settings come from: the environment, and below it a file.
pub(super) struct Sources {
    pub file: ConfigFile,
    /// What is wrong with the file.
    errors: Vec<SettingError>,
}

impl Sources {
    fn read(named: Option<PathBuf>) -> Self {
        let named = named.or_else(|| environment("CONFIG").filter(|path| !path.is_empty()).map(PathBuf::from));
        let (file, errors) = named.map(|path| ConfigFile::read(&path)).unwrap_or_default();
        Self { file, errors }
    }

    /// The text of a setting.
    pub fn get(&self, name: &str) -> Option<String> {
        environment(name).filter(|text| !text.is_empty()).or_else(|| self.file.get(name).map(str::to_owned))
    }

    /// The settings that `text` gives, or all their mistakes at once.
    pub fn settings(&self, text: impl Fn(&str) -> Option<String>) -> Result<Settings, CliFailure> {
        let mut errors = self.errors.clone();
        match Settings::from_env(text) {
            Ok(settings) if errors.is_empty() => return Ok(settings),
            Ok(_) => {}
            Err(more) => errors.extend(more),
        }
        Err(CliFailure::Settings(errors))
    }
}

/// The value of an environment variable.
#[allow(clippy::disallowed_methods)] // the one door through which the environment comes in
pub(super) fn environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
