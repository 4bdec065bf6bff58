//! What can be typed: the commands, their arguments and their help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::usage::UsageCommand;
use super::version::VersionCommand;
use super::webhook::WebhookCommand;
use crate::model::KeyMode;

/// Online memorial cards for partners: the server and the operator's commands.
///
/// Settings come from the environment: DATABASE_URL, DATA_DIR, LISTEN, PUBLIC_BASE_URL, EGRESS_ALLOW, EGRESS_CA,
/// SMTP_URL, CARD_ACTIVATION and RUST_LOG. Every command migrates the database first and can be used beside a running
/// server on the same database.
#[derive(Debug, Parser)]
#[command(name = "card-service", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct Cli {
    /// Print one JSON object on stdout instead of text
    #[arg(long, global = true)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Start the server; it stops on SIGTERM or Ctrl-C once the requests under way are answered
    Serve,
    /// Start the server on the database in DATA_DIR with a demo partner, its key and themes, and show a first card
    Demo,
    /// Partner accounts
    #[command(subcommand, arg_required_else_help = true)]
    Partner(PartnerCommand),
    /// Access keys
    #[command(subcommand, arg_required_else_help = true)]
    Key(KeyCommand),
    /// Themes, the looks of a card
    #[command(subcommand, arg_required_else_help = true)]
    Theme(ThemeCommand),
    /// Cards, by hand
    #[command(subcommand, arg_required_else_help = true)]
    Card(CardCommand),
    /// Notifications: their secrets and their signatures
    #[command(subcommand, arg_required_else_help = true)]
    Webhook(WebhookCommand),
    /// The versions of the API: their deprecation and their end
    #[command(subcommand, arg_required_else_help = true)]
    Version(VersionCommand),
    /// Who uses what of the schema
    #[command(subcommand, arg_required_else_help = true)]
    Usage(UsageCommand),
}

#[derive(Debug, Subcommand)]
pub(super) enum PartnerCommand {
    /// Add a partner
    Add {
        /// The name of the partner, unique and at most 255 characters
        name: String,
    },
    /// List all partners
    List,
    /// Show a partner
    Show {
        /// The name of the partner
        name: String,
    },
    /// Set where all mail of a partner's test cards goes; test cards cannot be ordered without it
    TestAddress {
        /// The name of the partner
        name: String,
        /// The e-mail address; left out, there is none any more
        email: Option<String>,
    },
    /// Set the partner's page where a family asks for a new session link
    RefreshAddress {
        /// The name of the partner
        name: String,
        /// An http or https address, to which ?card=<gid>&target=<target> is added; left out, there is none any more
        url: Option<String>,
    },
    /// Set what a card costs the family
    Price {
        /// The name of the partner
        name: String,
        /// In euros and including VAT, such as 49,50
        euros: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Issue a key; its token is shown this once and never again
    Issue(KeyIssue),
    /// Revoke a key; running servers refuse it within five seconds
    Revoke {
        /// The id of the key, or the last four characters of its token
        key: String,
    },
    /// List the keys of a partner
    List {
        /// The name of the partner
        #[arg(long)]
        partner: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct KeyIssue {
    /// The name of the partner
    #[arg(long)]
    pub partner: String,
    /// Cards made with a test key carry `test: true`
    #[arg(long)]
    pub mode: Mode,
    /// What you call the key
    #[arg(long)]
    pub label: Option<String>,
    /// After how many days the key stops working; never when left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=KEY_VALID_DAYS))]
    pub expires_days: Option<u32>,
}

const KEY_VALID_DAYS: i64 = crate::base::limits::KEY_VALID_DAYS_MAX as i64;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Mode {
    Live,
    Test,
}

impl From<Mode> for KeyMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Live => KeyMode::Live,
            Mode::Test => KeyMode::Test,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum ThemeCommand {
    /// Import a theme, or all themes of a folder; a theme that is there already is changed to what the folder says
    Import {
        /// A folder with a theme.toml, or a folder of such folders
        folder: PathBuf,
    },
    /// List all themes, in the order partners see them
    List,
}

#[derive(Debug, Subcommand)]
pub(super) enum CardCommand {
    /// Order a card for the family: DRAFT becomes ORDERED
    Order {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
    },
    /// Put a card online: ORDERED becomes ACTIVE
    Activate {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
    },
    /// Show a card and what happened to it
    Show {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
    },
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Cli;

    #[test]
    fn command_line_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn json_flag_is_read_before_and_after_a_command() {
        for line in ["card-service --json partner list", "card-service partner list --json"] {
            assert!(Cli::try_parse_from(line.split(' ')).is_ok_and(|cli| cli.json), "{line}");
        }
    }

    #[test]
    fn command_line_that_is_wrong_is_refused() {
        for line in [
            "card-service",
            "card-service key issue --partner a",
            "card-service key issue --partner a --mode other",
            "card-service key issue --partner a --mode test --expires-days 0",
            "card-service card order",
            "card-service partner remove a",
            "card-service webhook secret rotate --partner a --overlap 31d",
            "card-service webhook verify --secret a --secret-file b",
        ] {
            assert!(Cli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }
}
