//! The error of a command on stderr: a sentence, then its causes.

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use serde_json::json;
use tokio::signal::unix::SignalKind;

use super::output::escape;
use super::progress;
use crate::app::SettingError;
use crate::base::Interruption;
use crate::mail::MailError;
use crate::operation::OperationError;
use crate::store::DumpError;

/// Why a command failed: an error of the service, or one of [`CliError`].
#[derive(Debug)]
pub(super) enum CliFailure {
    Failed(Box<dyn Error + Send + Sync>),
    /// Nothing was done: the command reports `what` it would do, and to how many, where it counts.
    DryRun {
        what: String,
        count: Option<usize>,
    },
    /// A signal interrupted the command; `at` is the step that was running, if it has steps.
    Interrupted {
        signal: SignalKind,
        at: Option<Box<Interruption>>,
    },
}

impl<E: Error + Send + Sync + 'static> From<E> for CliFailure {
    fn from(error: E) -> Self {
        CliFailure::Failed(error.into())
    }
}

/// An error of the command line itself.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    #[error("The settings are wrong:\n{}", .0.iter().map(|error| format!("  {error}")).collect::<Vec<_>>().join("\n"))]
    Settings(Vec<SettingError>),
    #[error("The demo's own receiver could not be subscribed.")]
    Demo(#[source] OperationError),
    #[error("{} exists already: name a new folder, so that nothing is overwritten.", .0.display())]
    FolderExists(PathBuf),
    #[error("The database was not dumped.")]
    Dump(#[source] DumpError),
    #[error("There is a database {0} already: restore to a place where there is none.")]
    DatabaseExists(String),
    #[error("{} cannot be given to the owner of the data folder: run `chown` on it before the server starts.", .0.display())]
    Owner(PathBuf, #[source] io::Error),
    #[error("{} cannot be written.", .0.display())]
    Write(PathBuf, #[source] io::Error),
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
    #[error("The mail to {address} was not sent{}.", answer(source))]
    TestMail { address: String, source: MailError },
    #[error("There is no secret: name a file with --secret-file, or set WEBHOOK_SECRET.")]
    NoSecret,
    #[error("The header {0} is missing in the file of --headers.")]
    NoHeader(&'static str),
    #[error("The file {} cannot be read.", .0.display())]
    File(PathBuf, #[source] io::Error),
    #[error("A second signal stopped the server at once, without waiting for requests that may have been running.")]
    Hurried,
}

/// The words of the mail server, if it answered.
fn answer(error: &MailError) -> String {
    error.answer().map_or_else(String::new, |answer| format!(": {} {}", answer.code, answer.text))
}

impl CliFailure {
    /// The change of `count` things that a command would make with `--yes`.
    pub(super) fn dry_run(what: String, count: impl Into<Option<usize>>) -> Self {
        CliFailure::DryRun { what, count: count.into() }
    }

    /// The exit code: 128 and the number of a signal, as shells have it, and 1 otherwise.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            CliFailure::Interrupted { signal, .. } => u8::try_from(128 + signal.as_raw_value()).unwrap_or(1),
            CliFailure::Failed(_) | CliFailure::DryRun { .. } => 1,
        }
    }

    /// The object of `--json`: `dryRun`, `what` and `count`, or `error` with its causes.
    pub(super) fn object(&self) -> serde_json::Value {
        match self {
            CliFailure::DryRun { what, count } => json!({ "dryRun": true, "what": what, "count": count }),
            CliFailure::Interrupted { .. } => json!({ "error": self.report(), "causes": [] }),
            CliFailure::Failed(error) => {
                json!({ "error": sentence(&error.to_string()), "causes": causes(&**error).collect::<Vec<_>>() })
            }
        }
    }

    /// The sentence, and each cause on a separate line.
    pub(super) fn report(&self) -> String {
        let error = match self {
            CliFailure::DryRun { what, .. } => return escape(&format!("{what} Say --yes to do it.")),
            CliFailure::Interrupted { at: Some(at), .. } => return progress::describe(at),
            CliFailure::Interrupted { at: None, .. } => {
                return "Interrupted: look whether it was done before you run it again.".to_owned();
            }
            CliFailure::Failed(error) => error,
        };
        let mut report = sentence(&error.to_string());
        for cause in causes(&**error) {
            let _ = write!(report, "\n  because: {cause}"); // a String accepts every write
        }
        escape(&report)
    }
}

fn causes(error: &(dyn Error + 'static)) -> impl Iterator<Item = String> {
    std::iter::successors(error.source(), |error| (*error).source()).map(ToString::to_string)
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
