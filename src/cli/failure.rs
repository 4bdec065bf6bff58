//! The error of a command on stderr: a sentence, then its causes.

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use serde_json::json;

use super::demo_receiver::ReceiverError;
use super::output::escaped;
use crate::app::{SettingError, StartError};
use crate::mail::MailError;
use crate::operation::admin::AdminAccessError;
use crate::operation::backup::{BackupFault, DrillFailure};
use crate::operation::card::{CardStateError, OrderError};
use crate::operation::key::{IssueKeyError, RevokeKeyError};
use crate::operation::mail::ResendMailError;
use crate::operation::partner::{AddPartnerError, FindPartnerError, SetPartnerError};
use crate::operation::theme::{ReadThemesError, RetireThemeError};
use crate::operation::version::DecideVersionError;
use crate::operation::webhook::delivery::InspectError;
use crate::operation::webhook::delivery::SendAgainError;
use crate::operation::webhook::secret::{NewSecretError, RevokeSecretError};
use crate::operation::{Failure, OperationError};
use crate::store::StoreError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliFailure {
    #[error("The settings are wrong:\n{}", .0.iter().map(|error| format!("  {error}")).collect::<Vec<_>>().join("\n"))]
    Settings(Vec<SettingError>),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Receiver(#[from] ReceiverError),
    #[error("The demo's own receiver could not be subscribed.")]
    Demo(#[source] OperationError),
    #[error(transparent)]
    AddPartner(#[from] AddPartnerError),
    #[error(transparent)]
    FindPartner(#[from] FindPartnerError),
    #[error(transparent)]
    SetPartner(#[from] SetPartnerError),
    #[error(transparent)]
    IssueKey(#[from] IssueKeyError),
    #[error(transparent)]
    RevokeKey(#[from] RevokeKeyError),
    #[error(transparent)]
    RetireTheme(#[from] RetireThemeError),
    #[error("{} exists already: name a new folder, so that nothing is overwritten.", .0.display())]
    FolderExists(PathBuf),
    #[error("The database is PostgreSQL: back it up with pg_dump, then `backup manifest` (docs/operating.md).")]
    BackupOfPostgres,
    #[error(transparent)]
    Backup(#[from] BackupFault),
    #[error(transparent)]
    Drill(#[from] DrillFailure),
    #[error(transparent)]
    Move(StoreError),
    #[error("There is a database {0} already: restore to a place where there is none.")]
    DatabaseExists(String),
    #[error("{} cannot be given to the owner of the data folder: run `chown` on it before the server starts.", .0.display())]
    Owner(PathBuf, #[source] io::Error),
    #[error("{} cannot be written.", .0.display())]
    Write(PathBuf, #[source] io::Error),
    #[error(transparent)]
    ReadThemes(#[from] ReadThemesError),
    #[error("\"{0}\" is not the global id of a card, which has the form gid://service/Card/<uuid>.")]
    NoCardId(String),
    #[error("Say since when the notifications of a subscription are sent again, such as --since 24h.")]
    NoSince,
    #[error("The first one of --from and --to comes after the last one.")]
    Reversed,
    #[error("There is no card {0}.")]
    NoCard(String),
    #[error("No card is known by \"{0}\".")]
    UnknownCard(String),
    #[error("\"{0}\" is not the id of a session, as session list shows it: 16 hexadecimal digits.")]
    NoSessionId(String),
    #[error("No session {0} is open.")]
    NoSession(String),
    #[error("ADMIN_LISTEN is not set: there is no administration that a link could open.")]
    NoAdministration,
    #[error(transparent)]
    AdminAccess(#[from] AdminAccessError),
    #[error(transparent)]
    CardState(#[from] CardStateError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error("The mail to {address} was not sent{}.", answer(source))]
    TestMail { address: String, source: MailError },
    #[error(transparent)]
    ResendMail(#[from] ResendMailError),
    #[error(transparent)]
    DecideVersion(#[from] DecideVersionError),
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error(transparent)]
    SendAgain(#[from] SendAgainError),
    /// Nothing was done: the command reports `what` it would do, and to how many, where it counts.
    #[error("{what} Say --yes to do it.")]
    NotSaidYes { what: String, count: Option<usize> },
    #[error(transparent)]
    NewSecret(#[from] NewSecretError),
    #[error(transparent)]
    RevokeSecret(#[from] RevokeSecretError),
    #[error("There is no secret: name a file with --secret-file, or set WEBHOOK_SECRET.")]
    NoSecret,
    #[error("The header {0} is missing in the file of --headers.")]
    NoHeader(&'static str),
    #[error("The file {} cannot be read.", .0.display())]
    File(PathBuf, #[source] io::Error),
    #[error(transparent)]
    Failed(#[from] Failure),
    #[error("A second signal stopped the server at once, without waiting for requests that may have been running.")]
    Hurried,
    #[error("The command could not talk to the system.")]
    System(#[from] io::Error),
}

/// The words of the mail server, if it answered.
fn answer(error: &MailError) -> String {
    match error {
        MailError::Refused(Some(answer)) | MailError::Answered(answer) => format!(": {} {}", answer.code, answer.text),
        _ => String::new(),
    }
}

impl CliFailure {
    /// What a command would do to `count` things, had it been given `--yes`.
    pub(super) fn dry_run(what: String, count: impl Into<Option<usize>>) -> Self {
        CliFailure::NotSaidYes { what, count: count.into() }
    }

    /// The object of `--json`: `dryRun`, `what` and `count`, or `error` with its causes.
    pub(super) fn object(&self) -> serde_json::Value {
        match self {
            CliFailure::NotSaidYes { what, count } => json!({ "dryRun": true, "what": what, "count": count }),
            error => json!({ "error": sentence(&error.to_string()), "causes": error.causes().collect::<Vec<_>>() }),
        }
    }

    fn causes(&self) -> impl Iterator<Item = String> {
        std::iter::successors(self.source(), |error| (*error).source()).map(ToString::to_string)
    }

    /// The sentence, and each cause on a line of its own.
    pub(super) fn report(&self) -> String {
        let mut report = sentence(&self.to_string());
        for cause in self.causes() {
            let _ = write!(report, "\n  because: {cause}"); // a String accepts every write
        }
        escaped(&report)
    }
}

/// An error of another module as a sentence: with a capital at the start and a full stop at the end.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let mut sentence: String = chars.next().map(char::to_uppercase).into_iter().flatten().chain(chars).collect();
    if !sentence.ends_with(['.', ':']) && !sentence.contains('\n') {
        sentence.push('.');
    }
    sentence
}
