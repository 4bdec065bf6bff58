//! `webhook …`: secrets, and a check of signatures.

mod definition;
mod secret;
mod verify;
mod view;

pub(super) use definition::WebhookCommand;
pub(super) use verify::run as verify;

use super::failure::CliFailure;
use super::stdout::Stdout;
use crate::operation::Services;

/// Runs a command that needs the database.
pub(super) async fn run(services: &Services, command: WebhookCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        WebhookCommand::Secret(command) => secret::run(services, command, stdout).await,
        WebhookCommand::Verify(_) => unreachable!("it was run before a database was opened"),
    }
}
