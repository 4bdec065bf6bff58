//! `webhook …`: its commands, what they change, and which function runs each.

use clap::Subcommand;

use super::secret::{self, SecretCommand};
use super::verify::Verify;
use super::{inspect, send_again};
use crate::cli::audit::Audited;
use crate::cli::duration::{Since, since};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::model::audit;
use crate::services::Services;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum WebhookCommand {
    /// List subscriptions with their state
    List {
        /// Only those of this partner
        #[arg(long)]
        partner: Option<String>,
    },
    /// Show a subscription and its newest notifications
    Show {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
    },
    /// List the attempts to deliver a notification
    Attempts {
        /// The id of the delivery, as webhook show has it, or the id of the event: evt_…
        delivery: String,
    },
    /// Send nothing to a subscription until it is resumed or its partner changes its address; notifications wait for 30 days
    Pause {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
    },
    /// End the pause of a subscription and send what it missed
    Resume {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
        /// Do it; without this, only report what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// Send one notification again, or make its next attempt now
    Resend {
        /// The id of the delivery, as webhook show has it, or the id of the event: evt_…
        delivery: String,
        /// Do it; without this, only report what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// Send all notifications since a time again
    Replay {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
        /// A time, such as 2026-11-21T08:00:00Z, or how long ago, such as 90m, 24h or 7d
        #[arg(long, value_name = "MOMENT", value_parser = since)]
        since: Since,
        /// Do it; without this, only report what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// The secrets that sign a partner's notifications
    #[command(subcommand, arg_required_else_help = true)]
    Secret(SecretCommand),
    /// Verify the signature of a received notification, and report which part differs (needs no database)
    ///
    /// The secret comes from --secret-file, or from the environment variable WEBHOOK_SECRET. Exit code 0: genuine. 3: not
    /// genuine, and the output names the part that differs. 1: nothing could be verified. 2: the command line is wrong.
    Verify(Verify),
}

impl WebhookCommand {
    /// What the command changes; `None` if it only reads.
    pub(crate) fn audited(&self) -> Option<Audited> {
        match self {
            WebhookCommand::Pause { subscription } => Audited::new("webhook pause", subscription, &["pausedAt"]),
            WebhookCommand::Resume { subscription, .. } => Audited::of(audit::WEBHOOK_RESUME, subscription),
            WebhookCommand::Resend { delivery, .. } => Audited::of(audit::WEBHOOK_RESEND, delivery),
            WebhookCommand::Replay { subscription, .. } => Audited::new("webhook replay", subscription, &[]),
            WebhookCommand::Secret(command) => command.audited(),
            WebhookCommand::List { .. }
            | WebhookCommand::Show { .. }
            | WebhookCommand::Attempts { .. }
            | WebhookCommand::Verify(_) => None,
        }
    }
}

/// Runs a command that needs the database.
pub(in crate::cli) async fn run(
    services: &Services,
    command: WebhookCommand,
    output: Output,
) -> Result<(), CliFailure> {
    match command {
        WebhookCommand::List { partner } => inspect::list(services, partner.as_deref(), output).await,
        WebhookCommand::Show { subscription } => inspect::show(services, &subscription, output).await,
        WebhookCommand::Attempts { delivery } => inspect::attempts(services, &delivery, output).await,
        WebhookCommand::Pause { subscription } => send_again::pause(services, &subscription, output).await,
        WebhookCommand::Resume { subscription, yes } => send_again::resume(services, &subscription, yes, output).await,
        WebhookCommand::Resend { delivery, yes } => send_again::resend(services, &delivery, yes, output).await,
        WebhookCommand::Replay { subscription, since, yes } => {
            send_again::replay(services, &subscription, since, yes, output).await
        }
        WebhookCommand::Secret(command) => secret::run(services, command, output).await,
        WebhookCommand::Verify(_) => unreachable!("it was run before a database was opened"),
    }
}
