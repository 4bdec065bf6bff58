//! Runs the command of the command line: sets up what it needs, and turns its result into an exit code.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use rustix::fs::Mode;

use super::definition::{Cli, Command};
use super::failure::CliFailure;
use super::mail::MailCommand;
use super::output::{Output, escape_json};
use super::progress::ShownProgress;
use super::sources::Sources;
use super::system_user::{DataOwner, warn_if_not_owner};
use super::webhook::{self, WebhookCommand};
use super::{
    admin, audit, backup, card, database, demo, doctor, help, invitees, key, mail, partner, report, retention, serve,
    session, theme, transfer, usage, version,
};
use crate::app::{Settings, start_log};
use crate::base::limits;
use crate::media::decode_stdin;
use crate::store::database_name;

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    // Before the first thread, so that files of all libraries are private.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let cli = Cli::parse();
    if let Command::DecodePhoto { task } = cli.command {
        return decode_stdin(task); // without a runtime, settings or a log
    }
    let json = cli.json;
    let done = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(CliFailure::from).and_then(
        |runtime| {
            let done = runtime.block_on(run(cli));
            // Dropping the runtime would wait for blocking threads without a limit.
            runtime.shutdown_timeout(limits::THREADS_END);
            done
        },
    );
    match done {
        Ok(code) => code,
        Err(failure) => {
            // A closed stdout or stderr loses the message, not the exit code.
            if json {
                let _ = writeln!(io::stdout(), "{}", escape_json(&failure.object().to_string()));
            }
            let _ = writeln!(io::stderr(), "{}", failure.report());
            failure.exit_code().into()
        }
    }
}

async fn run(cli: Cli) -> Result<ExitCode, CliFailure> {
    let progress = ShownProgress::new();
    let output = Output { json: cli.json, database: None, shown_progress: progress };
    let log = match cli.command {
        Command::Serve { .. } | Command::Demo { .. } => "info",
        _ => "warn,card_service::cli::progress=info", // a command prints its result
    };
    // The demo creates a partner and a subscription, so it must not use the settings of an installed service.
    let default = (!matches!(cli.command, Command::Demo { .. })).then_some(Path::new(Settings::CONFIG_DEFAULT));
    let sources = Sources::read(cli.config, default);
    start_log(sources.get("RUST_LOG").as_deref(), log);
    let done = match cli.command {
        Command::Serve { print_config: true, .. } => serve::print_config(&sources, output),
        Command::Serve { print_config: false, create } => serve::run(&sources, create, output).await,
        Command::Demo { no_graphiql } => demo::run(&sources, !no_graphiql, output).await,
        Command::Init { status: true } => database::migration_status(&sources, output).await,
        Command::Completions { shell } => help::completions(shell, output),
        Command::Man { folder } => help::manual(&folder, output),
        Command::Doctor => return progress.follow(doctor::run(&sources, output)).await,
        Command::Webhook(WebhookCommand::Verify(command)) => return webhook::verify(command, output),
        command => progress.follow(operate(command, &sources, output)).await,
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Runs a command that needs the services but no server.
async fn operate(command: Command, sources: &Sources, output: Output) -> Result<(), CliFailure> {
    let mut settings = match command {
        Command::Mail(MailCommand::Test { .. }) => sources.settings(|name| sources.get(name))?,
        _ => sources.settings_without_mail()?,
    };
    settings.create_database = matches!(command, Command::Init { .. });
    let owner = DataOwner::find(&settings);
    let command = match command {
        Command::Backup(command) => match command.run_alone(&settings, output).await? {
            Some(command) => Command::Backup(command),
            None => return Ok(()),
        },
        Command::Move(command) => return transfer::run(&settings, &command, output).await,
        command => command,
    };
    let (audited, is_init) = (command.audit_entry(), matches!(command, Command::Init { .. }));
    settings.migrate_database = is_init;
    let pending = if is_init { database::pending_migrations(&settings).await } else { Vec::new() };
    let output = match &audited {
        Some(_) => {
            if !is_init {
                warn_if_not_owner(&settings);
            }
            output.of_database(database_name(&settings.database_url))
        }
        None => output,
    };
    let (services, closer) = audit::open_services(&settings, audited).await?;
    let done = match command {
        Command::Init { .. } => database::init(&services, closer.created(), &pending, output).await,
        Command::Backup(command) => backup::run(&services, &settings, command, output).await,
        Command::Partner(command) => partner::run(&services, command, output).await,
        Command::Key(command) => key::run(&services, command, output).await,
        Command::Session(command) => session::run(&services, command, output).await,
        Command::Theme(command) => theme::run(&services, command, output).await,
        Command::Card(command) => card::run(&services, command, output).await,
        Command::Version(command) => version::run(&services, command, output).await,
        Command::Usage(command) => usage::run(&services, command, output).await,
        Command::Invitees(command) => invitees::run(&services, command, output).await,
        Command::Mail(command) => mail::run(&services, command, output).await,
        Command::Report(command) => report::run(&services, command, output).await,
        Command::Retention(command) => retention::run(&services, command, output).await,
        Command::Admin(command) => admin::run(&services, &settings, command, output).await,
        Command::Audit(command) => audit::run(&services, command, output).await,
        Command::Webhook(command) => webhook::run(&services, command, output).await,
        Command::Move(_) => unreachable!("it was run without services"),
        Command::Serve { .. }
        | Command::Demo { .. }
        | Command::Doctor
        | Command::Completions { .. }
        | Command::Man { .. } => {
            unreachable!("they were run without services")
        }
        Command::DecodePhoto { .. } => unreachable!("it was run before the settings were read"),
    };
    drop(services);
    closer.close().await;
    if is_init {
        owner.take(&settings)?;
    }
    done
}
