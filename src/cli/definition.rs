//! What can be typed: the commands, their arguments and their help.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::session::SessionCommand;
use super::span::{OVERLAP, day, span};
use super::usage::UsageCommand;
use super::version::VersionCommand;
use super::webhook::WebhookCommand;
use crate::base::Timestamp;
use crate::media::DecodeTask;
use crate::model::KeyMode;
use crate::operation::report::Month;

/// Online memorial cards for partners: the server and the operator's commands.
///
/// Settings come from the environment and from a TOML file, /etc/card-service.toml unless another is named: docs/settings.md
/// lists them, and `serve --print-config` shows what holds. Every command migrates the database first and can be used beside a running
/// server on the same database. Only `init`, `demo` and `serve --create` create one.
#[derive(Debug, Parser)]
#[command(name = "card-service", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct Cli {
    /// Print one JSON object on stdout instead of text
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// A TOML file with settings, in place of /etc/card-service.toml; the environment wins over it
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Command,
}

fn decode_task(name: &str) -> Result<DecodeTask, String> {
    let named = DecodeTask::ALL.into_iter().find(|task| task.as_str() == name);
    named.ok_or_else(|| DecodeTask::ALL.map(DecodeTask::as_str).join(" or "))
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Start the server; it stops on SIGTERM or Ctrl-C once the requests under way are answered
    Serve {
        /// Create the database if it is missing; without, that is an error
        #[arg(long)]
        create: bool,
        /// Print every setting with its value and where that comes from, secrets hidden, and start nothing
        #[arg(long)]
        print_config: bool,
    },
    /// Create the database, or bring an existing one to the schema of this program
    Init,
    /// Start the server on the database in DATA_DIR with a demo partner, its key and themes, and show a first card
    Demo,
    /// Copy the embedded database into a new file while the server runs, and verify it; for PostgreSQL there is pg_dump
    Backup {
        /// A file that does not exist yet
        file: PathBuf,
    },
    /// Decode one photo from stdin to stdout; the server starts it for each photo
    #[command(hide = true)]
    DecodePhoto {
        #[arg(value_parser = decode_task)]
        task: DecodeTask,
    },
    /// Partner accounts
    #[command(subcommand, arg_required_else_help = true)]
    Partner(PartnerCommand),
    /// Access keys
    #[command(subcommand, arg_required_else_help = true)]
    Key(KeyCommand),
    /// Links and browser sessions on the service's own pages
    #[command(subcommand, arg_required_else_help = true)]
    Session(SessionCommand),
    /// Themes, the looks of a card
    #[command(subcommand, arg_required_else_help = true)]
    Theme(ThemeCommand),
    /// Cards, by hand
    #[command(subcommand, arg_required_else_help = true)]
    Card(CardCommand),
    /// The people whom families invited
    #[command(subcommand, arg_required_else_help = true)]
    Invitees(InviteesCommand),
    /// What was ordered, for invoices
    #[command(subcommand, arg_required_else_help = true)]
    Report(ReportCommand),
    /// What the operator did: who, when, what, and to which fields
    #[command(subcommand, arg_required_else_help = true)]
    Audit(AuditCommand),
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
    /// Refuse a partner's requests, within seconds; its families read and change nothing, its notifications wait, its cards
    /// stay online
    Block {
        /// The name of the partner
        name: String,
        /// Do it; without, only say what would happen
        #[arg(long)]
        yes: bool,
    },
    /// Let a blocked partner in again; its notifications go out
    Unblock {
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
    /// Issue a key in place of another; its token is shown this once, and both work until the overlap is over
    Rotate {
        /// The id of the old key, or the last four characters of its token
        key: String,
        /// How long the old key works beside the new one, such as 24h, 90m or 7d
        #[arg(long, value_name = "SPAN", default_value = OVERLAP, value_parser = span)]
        overlap: Duration,
    },
    /// Revoke a key; running servers refuse it within five seconds, and the sessions that it opened end
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
    /// List all themes with their bare numbers, in the order partners see them; retired ones too
    List,
    /// Let a theme be chosen no more; the cards that have it keep it
    Retire {
        /// The bare number of the theme, its handle, or its global id
        theme: String,
        /// Let it be chosen again
        #[arg(long)]
        undo: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum CardCommand {
    /// Find cards by dossier number, order number, global id or public address; never by a name
    Find {
        /// What the card is known by
        what: String,
    },
    /// Order a card for the family, with what its own order needs: DRAFT becomes ORDERED
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
    /// Delete a card with its photo and everything personal that hangs on it; there is no way back
    Delete {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
        /// Do it; without, only say what would be deleted
        #[arg(long)]
        yes: bool,
    },
    /// Delete the test cards of a partner
    PurgeTest {
        /// The name of the partner
        #[arg(long)]
        partner: String,
        /// Only those made before this day, such as 2026-01-31
        #[arg(long, value_name = "DAY", value_parser = day)]
        before: Option<Timestamp>,
        /// Do it; without, only say what would be deleted
        #[arg(long)]
        yes: bool,
    },
    /// Write everything that is kept about a card into a new folder: card.json, invitees.csv and the portrait
    Export {
        /// The global id of the card: gid://service/Card/<uuid>
        gid: String,
        /// A folder that does not exist yet
        folder: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum InviteesCommand {
    /// Take people off invitee lists, with their personal links; there is no way back
    Purge {
        /// Everybody on the list of this card: gid://service/Card/<uuid>
        #[arg(long, value_name = "GID", required_unless_present = "before", conflicts_with = "before")]
        card: Option<String>,
        /// Whoever was put on any list before this day, such as 2026-01-31
        #[arg(long, value_name = "DAY", value_parser = day)]
        before: Option<Timestamp>,
        /// Do it; without, only say how many that would be
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// The orders of each month and partner, without test cards; a month is one of the Netherlands
    Orders {
        /// The first month, such as 2026-01; left out, this month
        #[arg(long, value_name = "MONTH", value_parser = month)]
        from: Option<Month>,
        /// The last month; left out, the first one
        #[arg(long, value_name = "MONTH", value_parser = month)]
        to: Option<Month>,
        /// Only those of this partner
        #[arg(long)]
        partner: Option<String>,
        /// As CSV, for a spreadsheet
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
}

fn month(text: &str) -> Result<Month, String> {
    Month::parse(text).ok_or_else(|| "a month, such as 2026-01".to_owned())
}

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// List what was done, newest first
    List {
        /// Only since this day, such as 2026-01-31
        #[arg(long, value_name = "DAY", value_parser = day)]
        since: Option<Timestamp>,
        /// At most so many
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
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
            "card-service init cards.db",
            "card-service partner remove a",
            "card-service webhook secret rotate --partner a --overlap 31d",
            "card-service webhook verify --secret a --secret-file b",
            "card-service invitees purge --yes",
            "card-service invitees purge --card a --before 2026-01-01",
            "card-service report orders --from 2026-13",
            "card-service report orders --csv --json",
            "card-service key rotate abcd --overlap 31d",
            "card-service session list",
            "card-service session list --card a --key b",
            "card-service session revoke",
            "card-service session revoke 0011223344556677 --card a",
            "card-service session revoke --card a --partner b",
        ] {
            assert!(Cli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }
}
