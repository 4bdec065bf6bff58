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
    /// Show a subscription and its newest notifications, or a notification and the attempts to deliver it
    Show {
        /// gid://service/WebhookSubscription/<uuid>, or the id of a delivery, as this command has it, or of an event: evt_…
        what: String,
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
    /// Send one notification again, or with --since all of a subscription since a time
    Replay {
        /// The id of a delivery, as webhook show has it, or of an event: evt_…; with --since gid://service/WebhookSubscription/<uuid>
        what: String,
        /// A time, such as 2026-11-21T08:00:00Z, or how long ago, such as 90m, 24h or 7d
        #[arg(long, value_name = "MOMENT", value_parser = since)]
        since: Option<Since>,
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
    #[command(hide = true)]
    Verify(Verify),
}

impl WebhookCommand {
    /// What the command changes; `None` if it only reads.
    pub(crate) fn audited(&self) -> Option<Audited> {
        match self {
            WebhookCommand::Pause { subscription } => Audited::new("webhook pause", subscription, &["pausedAt"]),
            WebhookCommand::Resume { subscription, .. } => Audited::of(audit::WEBHOOK_RESUME, subscription),
            WebhookCommand::Replay { what, .. } => Audited::of(audit::WEBHOOK_REPLAY, what),
            WebhookCommand::Secret(command) => command.audited(),
            WebhookCommand::List { .. } | WebhookCommand::Show { .. } | WebhookCommand::Verify(_) => None,
        }
    }
}

/// Returns whether a text has the form of a global id, and so does not name a delivery or an event.
fn is_subscription(what: &str) -> bool {
    what.starts_with("gid://")
}

/// Runs a command that needs the database.
pub(in crate::cli) async fn run(
    services: &Services,
    command: WebhookCommand,
    output: Output,
) -> Result<(), CliFailure> {
    match command {
        WebhookCommand::List { partner } => inspect::list(services, partner.as_deref(), output).await,
        WebhookCommand::Show { what } if is_subscription(&what) => inspect::show(services, &what, output).await,
        WebhookCommand::Show { what } => inspect::attempts(services, &what, output).await,
        WebhookCommand::Pause { subscription } => send_again::pause(services, &subscription, output).await,
        WebhookCommand::Resume { subscription, yes } => send_again::resume(services, &subscription, yes, output).await,
        WebhookCommand::Replay { what, since: Some(since), yes } => {
            send_again::replay(services, &what, since, yes, output).await
        }
        WebhookCommand::Replay { what, since: None, .. } if is_subscription(&what) => Err(CliFailure::NoSince),
        WebhookCommand::Replay { what, since: None, yes } => send_again::resend(services, &what, yes, output).await,
        WebhookCommand::Secret(command) => secret::run(services, command, output).await,
        WebhookCommand::Verify(_) => unreachable!("it was run before a database was opened"),
    }
}
