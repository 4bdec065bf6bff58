//! Errors of sending mails. No message contains an address, because messages are logged.

use std::io;
use std::path::PathBuf;

use crate::base::{ErrorChain, limits};
use crate::model::clean_name;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The response of a mail server. Its text may contain the address: it is stored with the mail and not logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAnswer {
    pub code: u16,
    pub text: String,
}

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// Final: the address is invalid (`None`), or the mail server refuses the address or the mail.
    #[error("the mail was refused{}", .0.as_ref().map_or(String::new(), |answer| format!(" (SMTP {})", answer.code)))]
    Refused(Option<ServerAnswer>),
    /// A temporary error.
    #[error("the mail server answered SMTP {}", .0.code)]
    Answered(ServerAnswer),
    #[error("the mail server did not take the mail in time")]
    TimeOut,
    #[error("the mail server cannot be reached")]
    Unreachable(#[source] Cause),
    #[error("the mail cannot be written into its folder")]
    Folder(#[source] io::Error),
    /// A bug of ours: the message cannot be built.
    #[error("the mail cannot be put together")]
    Malformed(#[source] Cause),
}

impl MailError {
    /// Whether a retry cannot succeed.
    pub fn is_final(&self) -> bool {
        matches!(self, MailError::Refused(_) | MailError::Malformed(_))
    }

    /// Whether the mail or its address was refused.
    pub fn is_refusal(&self) -> bool {
        matches!(self, MailError::Refused(_))
    }

    /// Returns the text to store with the mail: the server's response without the address, or the error chain.
    pub fn stored_text(&self, address: &str) -> String {
        let text = match self {
            MailError::Refused(Some(answer)) | MailError::Answered(answer) => {
                format!("{} {}", answer.code, answer.text)
            }
            other => ErrorChain(other).to_string(),
        };
        let text = if address.is_empty() { text } else { text.replace(address, "…") };
        clean_name(&text).chars().take(limits::MAIL_ANSWER_CHARS_MAX).collect()
    }
}

/// Why the mailer cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    #[error("the sender of mails is no address")]
    Sender,
    /// The URL is not repeated, because it may contain a password.
    #[error("SMTP_URL cannot be used")]
    Smtp(#[source] Cause),
    #[error("the roots in {} cannot be used for the mail server", .0.display())]
    Roots(PathBuf, #[source] Cause),
    #[error("the folder for mails {} cannot be made", .0.display())]
    Folder(PathBuf, #[source] io::Error),
}
