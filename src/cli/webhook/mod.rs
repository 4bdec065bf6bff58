//! `webhook …`: subscriptions and what was sent to them, secrets, and a check of signatures.

mod definition;
mod secret;
mod send_again;
mod survey;
mod verify;
mod view;

pub(super) use definition::WebhookCommand;
pub(super) use verify::run as verify;

use self::definition::SecretCommand;
use super::audit::Change;
use super::failure::CliFailure;
use super::stdout::Stdout;
use crate::operation::Services;

/// What a command changes; `None`: it only reads.
pub(super) fn change(command: &WebhookCommand) -> Option<Change> {
    match command {
        WebhookCommand::Resume { subscription, .. } => Change::new("webhook resume", subscription, &["pausedAt"]),
        WebhookCommand::Resend { delivery, .. } => Change::new("webhook resend", delivery, &[]),
        WebhookCommand::Replay { subscription, .. } => Change::new("webhook replay", subscription, &[]),
        WebhookCommand::Secret(SecretCommand::Issue { partner }) => {
            Change::new("webhook secret issue", partner, &["secret"])
        }
        WebhookCommand::Secret(SecretCommand::Rotate { partner, .. }) => {
            Change::new("webhook secret rotate", partner, &["secret", "expiresAt"])
        }
        WebhookCommand::Secret(SecretCommand::Revoke { secret, .. }) => {
            Change::new("webhook secret revoke", secret, &["revokedAt"])
        }
        WebhookCommand::Secret(SecretCommand::List { .. })
        | WebhookCommand::List { .. }
        | WebhookCommand::Show { .. }
        | WebhookCommand::Attempts { .. }
        | WebhookCommand::Verify(_) => None,
    }
}

/// Runs a command that needs the database.
pub(super) async fn run(services: &Services, command: WebhookCommand, stdout: Stdout) -> Result<(), CliFailure> {
    match command {
        WebhookCommand::List { partner } => survey::list(services, partner.as_deref(), stdout).await,
        WebhookCommand::Show { subscription } => survey::show(services, &subscription, stdout).await,
        WebhookCommand::Attempts { delivery } => survey::attempts(services, &delivery, stdout).await,
        WebhookCommand::Resume { subscription, yes } => send_again::resume(services, &subscription, yes, stdout).await,
        WebhookCommand::Resend { delivery, yes } => send_again::resend(services, &delivery, yes, stdout).await,
        WebhookCommand::Replay { subscription, since, yes } => {
            send_again::replay(services, &subscription, since, yes, stdout).await
        }
        WebhookCommand::Secret(command) => secret::run(services, command, stdout).await,
        WebhookCommand::Verify(_) => unreachable!("it was run before a database was opened"),
    }
}
