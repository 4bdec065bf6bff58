//! From the command line to the command: reads it, sets up what the command needs, and turns its end into an exit code.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use rustix::fs::Mode;

use super::definition::{Cli, Command};
use super::failure::CliFailure;
use super::stdout::Stdout;
use super::webhook::{self, WebhookCommand};
use super::{
    audit, backup, card, demo, init, invitees, key, owner, partner, report, serve, session, theme, usage, version,
};
use crate::app::{self, ConfigFile, SettingError, Settings, start_telemetry};
use crate::base::{Clock, Entropy, limits};
use crate::media::decode_stdin;
use crate::outbound::Names;
use crate::store::database_name;

/// Runs the command that was typed.
pub fn main() -> ExitCode {
    // Before the first thread: whatever is written from here on is the user's own, in every library.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let cli = Cli::parse();
    if let Command::DecodePhoto { task } = cli.command {
        return decode_stdin(task); // without a runtime, settings or a log
    }
    let done = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(CliFailure::from).and_then(
        |runtime| {
            let done = runtime.block_on(run(cli));
            // Dropping it would wait for threads that block, however long they do.
            runtime.shutdown_timeout(limits::THREADS_END);
            done
        },
    );
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
    let stdout = Stdout { json: cli.json, database: None };
    let log = match cli.command {
        Command::Serve { .. } | Command::Demo => "info",
        _ => "warn", // a command says on stdout what it did
    };
    // The demo makes a partner and subscribes a receiver: not in a service that is installed on the same machine.
    let default = (!matches!(cli.command, Command::Demo)).then_some(Path::new(Settings::CONFIG_DEFAULT));
    let sources = Sources::read(cli.config, default);
    // A command is over before anybody would look at its traces. Settings that are wrong are reported by whoever uses them.
    let traces = match cli.command {
        Command::Serve { print_config: false, .. } | Command::Demo => {
            sources.settings(|name| sources.get(name)).ok().and_then(|settings| settings.traces)
        }
        _ => None,
    };
    let telemetry = start_telemetry(sources.get("RUST_LOG").as_deref(), log, traces.as_ref());
    let done = match cli.command {
        Command::Serve { print_config: true, .. } => serve::print_config(&sources, stdout),
        Command::Serve { print_config: false, create } => serve::run(&sources, create, stdout).await,
        Command::Demo => demo::run(&sources, stdout).await,
        Command::Webhook(WebhookCommand::Verify(command)) => return webhook::verify(command, stdout),
        command => operate(command, &sources, stdout).await,
    };
    telemetry.end().await;
    done.map(|()| ExitCode::SUCCESS)
}

/// Runs a command that needs the services but no server.
async fn operate(command: Command, sources: &Sources, stdout: Stdout) -> Result<(), CliFailure> {
    let mut settings = sources.settings(|name| sources.get(name))?;
    settings.create_database = matches!(command, Command::Init);
    let change = audit::change(&command);
    let stdout = match &change {
        Some(_) => {
            owner::warn(&settings);
            stdout.of_database(database_name(&settings.database_url))
        }
        None => stdout,
    };
    let (mut services, closer) = app::services(&settings, Clock::system(), Entropy::system(), Names::system()).await?;
    if let (Some(change), Some(services)) = (change, Arc::get_mut(&mut services)) {
        audit::note(services, change);
    }
    let done = match command {
        Command::Init => init::run(&services, closer.created(), stdout).await,
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
        Command::DecodePhoto { .. } => unreachable!("a photo was decoded for this"),
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
    fn read(named: Option<PathBuf>, default: Option<&Path>) -> Self {
        let (file, errors) = ConfigFile::find(named, environment("CONFIG"), default);
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
