//! The top level of the command line. Each noun has its own commands in its own file.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use super::admin::AdminCommand;
use super::audit::{AuditCommand, Audited};
use super::backup::BackupArgs;
use super::card::CardCommand;
use super::invitees::InviteesCommand;
use super::key::KeyCommand;
use super::mail::MailCommand;
use super::partner::PartnerCommand;
use super::report::ReportCommand;
use super::retention::RetentionCommand;
use super::session::SessionCommand;
use super::theme::ThemeCommand;
use super::transfer::MoveArgs;
use super::usage::UsageCommand;
use super::version::VersionCommand;
use super::webhook::WebhookCommand;
use crate::media::DecodeTask;

const EXIT_CODES: &str = "For partners and developers: webhook verify checks the signature of a notification, and needs no database.

Exit codes: 0 success; 1 failure, or a dry run, with a sentence on stderr; 2 a wrong command line; 3 a signature that is not genuine \
     (webhook verify); 70 the server stopped because none of its tasks ran for 30 s; 130 or 143 Ctrl-C or SIGTERM interrupted the \
     command, and stderr says what was left.";

/// Online memorial cards for partners: the server and the operator's commands.
///
/// Settings come from the environment and from a TOML file, by default /etc/card-service.toml: see docs/settings.md, and
/// `serve --print-config` for their values. Every command but `move` can run while a server uses the same database. Only
/// `serve`, `demo`, `init`, `backup restore` and `move` migrate it; all of these can create one (`serve` with `--create`).
#[derive(Debug, Parser)]
#[command(name = "card-service", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Cli {
    /// Print one JSON object on stdout instead of text
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// A TOML file with settings, instead of /etc/card-service.toml; the environment overrides it
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
    /// Start the server; on SIGTERM or Ctrl-C it finishes running requests and stops
    Serve {
        /// Create the database if it is missing; without this, that is an error
        #[arg(long)]
        create: bool,
        /// Print every setting with its value and its source, secrets hidden, and start nothing
        #[arg(long)]
        print_config: bool,
    },
    /// Create the database, or run the pending migrations of one that is there, as a server does when it starts
    Init {
        /// Only show which migrations have run and which are pending
        #[arg(long)]
        status: bool,
    },
    /// Show which settings and database are used, and make every check of docs/checks.md; exit code 1 if one fails
    Doctor,
    /// Start the server on the database in DATA_DIR with a demo partner, its key and themes, and show how to create a card
    ///
    /// GraphiQL is fetched with npm, if npm is there, and its address is printed.
    Demo {
        /// Do not fetch GraphiQL
        #[arg(long)]
        no_graphiql: bool,
    },
    /// Copy the embedded database into a new file while the server runs, with a manifest of the media; verify, restore, drill.
    /// For PostgreSQL use pg_dump, then `backup manifest`
    Backup(BackupArgs),
    /// Copy everything from SQLite to PostgreSQL or back, compare it, and mark the old database as moved; stop the server first
    Move(MoveArgs),
    /// Print the completions of a shell, such as: card-service completions bash > /etc/bash_completion.d/card-service
    Completions { shell: Shell },
    /// Write the manual pages, for man(1), into a folder; the Debian package has installed them
    Man { folder: PathBuf },
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
    /// Themes, the designs of a card
    #[command(subcommand, arg_required_else_help = true)]
    Theme(ThemeCommand),
    /// Cards
    #[command(subcommand, arg_required_else_help = true)]
    Card(CardCommand),
    /// Invitees of families
    #[command(subcommand, arg_required_else_help = true)]
    Invitees(InviteesCommand),
    /// Mails to families and invitees
    #[command(subcommand, arg_required_else_help = true)]
    Mail(MailCommand),
    /// Orders, for invoices
    #[command(subcommand, arg_required_else_help = true)]
    Report(ReportCommand),
    /// How long data is kept
    #[command(subcommand, arg_required_else_help = true)]
    Retention(RetentionCommand),
    /// The administration, the operator's pages: links that open it
    #[command(subcommand, arg_required_else_help = true)]
    Admin(AdminCommand),
    /// The audit log: who did what, when, and to which fields
    #[command(subcommand, arg_required_else_help = true)]
    Audit(AuditCommand),
    /// Webhook subscriptions, their secrets and their signatures
    #[command(subcommand, arg_required_else_help = true)]
    Webhook(WebhookCommand),
    /// Versions of the API: deprecation and retirement
    #[command(subcommand, arg_required_else_help = true)]
    Version(VersionCommand),
    /// Usage counts of the schema
    #[command(subcommand, arg_required_else_help = true)]
    Usage(UsageCommand),
}

impl Command {
    /// The audit record of the command; `None` if it only reads, or serves.
    pub(super) fn audit_entry(&self) -> Option<Audited> {
        match self {
            Command::Init { status: false } => Audited::new("init", "the database", &[]),
            Command::Init { status: true } => None,
            Command::Backup(command) => command.audit_entry(),
            Command::Move(command) => command.audit_entry(),
            Command::Partner(command) => command.audit_entry(),
            Command::Key(command) => command.audit_entry(),
            Command::Session(command) => command.audit_entry(),
            Command::Theme(command) => command.audit_entry(),
            Command::Card(command) => command.audit_entry(),
            Command::Invitees(command) => command.audit_entry(),
            Command::Mail(command) => command.audit_entry(),
            Command::Admin(command) => command.audit_entry(),
            Command::Version(command) => command.audit_entry(),
            Command::Webhook(command) => command.audit_entry(),
            Command::Serve { .. } | Command::Demo { .. } | Command::Doctor | Command::DecodePhoto { .. } => None,
            Command::Completions { .. } | Command::Man { .. } => None,
            Command::Usage(_) | Command::Report(_) | Command::Retention(_) | Command::Audit(_) => None,
        }
    }
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

    /// Every command that the manual names exists: the words before the first argument.
    #[test]
    fn manual_names_commands_that_exist() {
        let manual = include_str!("../../docs/operating.md");
        let root = Cli::command();
        let mut found = 0;
        for span in manual.split('`').skip(1).step_by(2) {
            let mut words = span.strip_prefix("card-service ").unwrap_or(span).split_whitespace();
            let Some(mut command) = words.next().and_then(|word| root.find_subcommand(word)) else {
                assert!(!span.starts_with("card-service "), "{span} is no command");
                continue;
            };
            found += 1;
            let is_group = |command: &clap::Command| command.is_arg_required_else_help_set();
            while is_group(command) {
                let Some(word) = words.next() else { break };
                command = command.find_subcommand(word).unwrap_or_else(|| panic!("{span} is no command"));
            }
            for option in words.filter_map(|word| word.trim_start_matches('[').trim_end_matches(']').strip_prefix("--"))
            {
                assert!(command.get_arguments().any(|known| known.get_long() == Some(option)), "{span}: --{option}");
            }
        }
        assert!(found > 40, "{found}");
    }

    #[test]
    fn backup_is_written_to_a_file_or_has_a_command() {
        for line in [
            "card-service backup cards.db",
            "card-service backup cards.db --media media",
            "card-service backup ./verify",
            "card-service backup verify cards.db",
            "card-service backup drill cards.dump --media s3://bucket/copy --database postgres://host/restored",
        ] {
            assert!(Cli::try_parse_from(line.split(' ')).is_ok(), "{line}");
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
            "card-service backup",
            "card-service backup verify",
            "card-service move",
            "card-service move --undo --to postgres://host/cards",
            "card-service backup cards.db drill",
            "card-service backup restore cards.db --database sqlite://other.db",
            "card-service partner remove a",
            "card-service webhook secret rotate --partner a --overlap 31d",
            "card-service webhook verify",
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
            "card-service mail list --state lost",
            "card-service mail resend",
        ] {
            assert!(Cli::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }
}
