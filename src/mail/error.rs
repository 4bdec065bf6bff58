//! Why a mail did not go out, and why none can. No message repeats an address: it would end in the log.

use std::io;
use std::path::PathBuf;

/// A failure of whatever does the sending.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a mail did not go out.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// It never will: the address is none, or the mail server knows nobody there. The number is the server's reply.
    #[error("the address of the mail was refused{}", .0.map_or(String::new(), |code| format!(" (SMTP {code})")))]
    Refused(Option<u16>),
    /// Another time, perhaps. The server's own words may repeat the address, so its reply is told as a number.
    #[error("the mail server answered SMTP {0}")]
    Answered(u16),
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
