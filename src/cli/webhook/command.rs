//! `webhook …` as it can be typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::cli::span::{Since, since, span};

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum WebhookCommand {
    /// List subscriptions and how they fare
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
    /// Send to a paused subscription again, what it missed first
    Resume {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
        /// Do it; without, only say what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// Send one notification again, or make its next attempt now
    Resend {
        /// The id of the delivery, as webhook show has it, or the id of the event: evt_…
        delivery: String,
        /// Do it; without, only say what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// Send everything again that happened since a moment
    Replay {
        /// The global id of the subscription: gid://service/WebhookSubscription/<uuid>
        subscription: String,
        /// A moment, such as 2026-11-21T08:00:00Z, or how long ago, such as 90m, 24h or 7d
        #[arg(long, value_name = "MOMENT", value_parser = since)]
        since: Since,
        /// Do it; without, only say what would be sent
        #[arg(long)]
        yes: bool,
    },
    /// The secrets with which a partner's notifications are signed
    #[command(subcommand, arg_required_else_help = true)]
    Secret(SecretCommand),
    /// Check a notification that was received, and say which part of its signature differs (needs no database)
    ///
    /// The secret comes from --secret-file, or else from the environment variable WEBHOOK_SECRET. Exit code 0: genuine.
    /// 3: not, and the output says which part differs. 1: nothing could be checked. 2: the command line is wrong.
    Verify(Verify),
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SecretCommand {
    /// Issue a secret; it is shown this once. A second one signs beside the first
    Issue {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
    /// Replace the secret; it is shown this once. Both sign until the overlap is over
    Rotate {
        /// The name of the partner
        #[arg(long)]
        partner: String,
        /// How long the old secret signs beside the new one, such as 24h, 90m or 7d
        #[arg(long, value_name = "SPAN", default_value = crate::cli::span::OVERLAP, value_parser = span)]
        overlap: Duration,
    },
    /// List the secrets of a partner by their fingerprints, those that ended too
    List {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
    /// End a secret at once, because somebody else may know it
    Revoke {
        /// The id of the secret, or its fingerprint
        secret: String,
        /// Also when it is the only one: nothing is sent until another one is issued
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Verify {
    /// The body, byte for byte as it arrived; - reads stdin
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub body: PathBuf,
    /// A file with the headers, one `Name: value` a line, as curl and most servers print them
    #[arg(long, value_name = "FILE")]
    pub headers: Option<PathBuf>,
    /// The header webhook-id
    #[arg(long, allow_hyphen_values = true)]
    pub id: Option<String>,
    /// The header webhook-timestamp
    #[arg(long, allow_hyphen_values = true)]
    pub timestamp: Option<String>,
    /// The header webhook-signature
    #[arg(long, allow_hyphen_values = true)]
    pub signature: Option<String>,
    /// A file that holds the secret
    #[arg(long, value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// The secret itself: others on this machine can see it, so prefer --secret-file or WEBHOOK_SECRET
    #[arg(long, conflicts_with = "secret_file")]
    pub secret: Option<String>,
    /// The signature that your own code computed: what it got wrong is said too
    #[arg(long, value_name = "SIGNATURE", allow_hyphen_values = true)]
    pub computed: Option<String>,
    /// Do not look at how old the notification is: for one that was kept
    #[arg(long)]
    pub ignore_age: bool,
}
