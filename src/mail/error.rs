//! Why a mail did not go out, and why none can. No message repeats an address: it would end in the log.

use std::io;
use std::path::PathBuf;

use crate::base::{ErrorChain, limits};
use crate::model::in_one_line;

/// A failure of whatever does the sending.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// What a mail server answered. Its own words may repeat the address: they are stored with the mail, and not logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAnswer {
    pub code: u16,
    pub words: String,
}

/// Why a mail did not go out.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// It never will: the text is no address (`None`), or the mail server refuses the address or the mail.
    #[error("the mail was refused{}", .0.as_ref().map_or(String::new(), |answer| format!(" (SMTP {})", answer.code)))]
    Refused(Option<ServerAnswer>),
    /// Another time, perhaps.
    #[error("the mail server answered SMTP {}", .0.code)]
    Answered(ServerAnswer),
    #[error("the mail server did not take the mail in time")]
    TimeOut,
    #[error("the mail server cannot be reached")]
    Unreachable(#[source] Cause),
    #[error("the mail cannot be written into its folder")]
    Folder(#[source] io::Error),
    /// Ours: a text that makes no mail.
    #[error("the mail cannot be put together")]
    Malformed(#[source] Cause),
}

impl MailError {
    /// Whether trying again is of no use.
    pub fn is_final(&self) -> bool {
        matches!(self, MailError::Refused(_) | MailError::Malformed(_))
    }

    /// Whether it was the mail, or its address, that was refused.
    pub fn is_refusal(&self) -> bool {
        matches!(self, MailError::Refused(_))
    }

    /// What is stored with the mail: the server's own words without the address that they may repeat, or else the causes.
    pub fn told_of(&self, address: &str) -> String {
        let told = match self {
            MailError::Refused(Some(answer)) | MailError::Answered(answer) => {
                format!("{} {}", answer.code, answer.words)
            }
            other => ErrorChain(other).to_string(),
        };
        let told = if address.is_empty() { told } else { told.replace(address, "…") };
        in_one_line(&told).chars().take(limits::MAIL_ANSWER_CHARS_MAX).collect()
    }
}

/// Why no mails can be sent at all: a setting.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    #[error("the sender of mails is no address")]
    Sender,
    /// The address of the server may hold a password: it is not repeated.
    #[error("SMTP_URL cannot be used")]
    Smtp(#[source] Cause),
    #[error("the roots in {} cannot be used for the mail server", .0.display())]
    Roots(PathBuf, #[source] Cause),
    #[error("the folder for mails {} cannot be made", .0.display())]
    Folder(PathBuf, #[source] io::Error),
}
