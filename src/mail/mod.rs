//! Sends mails to an SMTP server or into a folder (decisions S10). The only module that uses lettre.
//!
//! Called by the mail worker with a complete [`Email`]. Queueing and retries are the worker's.

mod email;
mod fault;
mod smtp;
mod smtp_url;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io};

use lettre::Message;
use lettre::message::Mailbox;
use tokio::io::AsyncWriteExt as _;
use uuid::Uuid;

use self::smtp::Smtp;
pub(crate) use self::smtp_url::SmtpUrl;
use crate::base::{ErrorChain, Timestamp, email_address, limits, private};
use crate::model::clean_name;

pub use email::{Email, PICTURE_ID};
pub use fault::Fault;

/// Sends mails; cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    sender: Arc<Mailbox>,
    transport: Transport,
}

#[derive(Clone)]
enum Transport {
    Smtp(Arc<Smtp>),
    /// One file for each mail, in its message format.
    Folder(Arc<Path>),
}

impl Mailer {
    /// Returns a mailer for an SMTP server. `sender` is an address such as `post@voorbeeld.nl` or
    /// `Gedenkkaart <post@voorbeeld.nl>`; `extra_roots` is a PEM file of roots to trust in addition to the system's;
    /// `public_base` is the address of the service, whose host is its name in EHLO.
    pub fn smtp(url: &str, extra_roots: Option<&Path>, sender: &str, public_base: &str) -> Result<Self, MailerError> {
        let server = smtp::open(url, extra_roots, public_base)?;
        Ok(Self { sender: mailbox(sender)?, transport: Transport::Smtp(Arc::new(server)) })
    }

    /// Returns a mailer that writes into a folder, which is created if it is missing.
    pub fn folder(folder: PathBuf, sender: &str) -> Result<Self, MailerError> {
        let sender = mailbox(sender)?;
        private::create_folder(&folder).map_err(|error| MailerError::Folder(folder.clone(), error))?;
        Ok(Self { sender, transport: Transport::Folder(folder.into()) })
    }

    /// Whether a text is a sender whose address can be delivered to.
    pub fn is_sender(text: &str) -> bool {
        text.parse().is_ok_and(|sender: Mailbox| email_address::parse(sender.email.as_ref()).is_some())
    }

    /// Whether mails are written into a folder instead of sent.
    pub fn is_folder(&self) -> bool {
        matches!(self.transport, Transport::Folder(_))
    }

    /// The files of mails that were written before a time; none where mails are sent.
    pub async fn files_before(&self, before: Timestamp) -> io::Result<Vec<PathBuf>> {
        let Transport::Folder(folder) = &self.transport else { return Ok(Vec::new()) };
        let (mut entries, mut files) = (tokio::fs::read_dir(folder).await?, Vec::new());
        while let Some(entry) = entries.next_entry().await? {
            let path = entry.path();
            if written_at(&path).is_some_and(|at| at < before) {
                files.push(path);
            }
        }
        Ok(files)
    }

    /// Deletes the files of mails that were written before a time, and counts them.
    pub async fn delete_files_before(&self, before: Timestamp) -> io::Result<usize> {
        let files = self.files_before(before).await?;
        for file in &files {
            match tokio::fs::remove_file(file).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(files.len())
    }

    /// Whether the server accepts a connection and the password. A folder always does.
    pub async fn check(&self) -> Result<(), MailError> {
        match &self.transport {
            Transport::Smtp(server) => smtp::check(server).await,
            Transport::Folder(_) => Ok(()),
        }
    }

    /// Closes the connections that are kept for the next mail.
    pub async fn close_idle(&self) {
        if let Transport::Smtp(server) = &self.transport {
            server.close_idle().await;
        }
    }

    /// Sends a mail. Returns after the server has accepted it, or the file is written.
    pub async fn send(&self, email: Email) -> Result<(), MailError> {
        match &self.transport {
            Transport::Smtp(server) => smtp::send(server, &email.into_message(&self.sender)?).await,
            Transport::Folder(folder) => {
                let id = email.id.to_string();
                write(folder, &id, email.into_message(&self.sender)?).await.map_err(MailError::Folder)
            }
        }
    }
}

/// The time of a mail's file, which its id begins with; `None` for other files.
fn written_at(path: &Path) -> Option<Timestamp> {
    let id = Uuid::try_parse(path.file_stem()?.to_str()?).ok()?;
    let is_mail = path.extension().is_some_and(|end| end == "eml" || end == "partial");
    i64::try_from(id.as_u128() >> 80).ok().filter(|_| is_mail).and_then(Timestamp::from_millis)
}

/// Writes a file atomically; a mail that is sent twice is one file.
async fn write(folder: &Path, name: &str, message: Message) -> io::Result<()> {
    let (complete, partial) = (folder.join(format!("{name}.eml")), folder.join(format!("{name}.partial")));
    let mut options = tokio::fs::OpenOptions::from(private::options());
    let mut file = options.create(true).truncate(true).open(&partial).await?;
    file.write_all(&email::format(&message)).await?;
    file.flush().await?;
    tokio::fs::rename(&partial, &complete).await
}

fn mailbox(text: &str) -> Result<Arc<Mailbox>, MailerError> {
    let Mailbox { name, email } = text.parse().map_err(|_| MailerError::Sender)?;
    let email = email::parse_address(email.as_ref()).ok_or(MailerError::Sender)?;
    Ok(Arc::new(Mailbox::new(name, email)))
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.transport {
            Transport::Smtp(_) => "Mailer(smtp)",
            Transport::Folder(_) => "Mailer(folder)",
        })
    }
}

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
    #[error("no mail can be sent to the address: it has quotes, or letters outside ASCII before the @")]
    BadAddress,
    /// The mail server refuses the recipient or the mail for good.
    #[error("the mail was refused (SMTP {})", .0.code)]
    Refused(ServerAnswer),
    /// The mail server does not take the mail for this recipient at the moment.
    #[error("the mail server answered SMTP {}", .0.code)]
    Deferred(ServerAnswer),
    /// The mail server refuses the service, whoever the recipient is.
    #[error("the mail server refuses the service: its login, its sender or its address (SMTP {})", .0.code)]
    Declined(ServerAnswer),
    /// The mail server does not offer what the settings need.
    #[error("{0}")]
    Lacks(&'static str),
    #[error("the mail server did not take the mail in time")]
    TimeOut { taken_perhaps: bool },
    #[error("the mail server cannot be reached")]
    Unreachable(#[source] Cause),
    #[error("the connection ended before the mail server said whether it takes the mail")]
    Unanswered { taken_perhaps: bool, source: Cause },
    #[error("the mail cannot be written into its folder")]
    Folder(#[source] io::Error),
    /// A bug of ours: the message cannot be built.
    #[error("the mail cannot be put together")]
    Malformed(#[source] Cause),
}

impl MailError {
    /// Returns whose fault it is. An attempt whose mail the server may have taken is the recipient's, so that it is not
    /// repeated for ever.
    pub fn fault(&self) -> Fault {
        match self {
            MailError::BadAddress | MailError::Refused(_) | MailError::Malformed(_) => Fault::Final,
            MailError::Deferred(_)
            | MailError::Unanswered { taken_perhaps: true, .. }
            | MailError::TimeOut { taken_perhaps: true } => Fault::Recipient,
            MailError::Declined(_)
            | MailError::Lacks(_)
            | MailError::TimeOut { taken_perhaps: false }
            | MailError::Unanswered { taken_perhaps: false, .. }
            | MailError::Unreachable(_)
            | MailError::Folder(_) => Fault::Server,
        }
    }

    /// Whether the mail or its address was refused.
    pub fn is_refusal(&self) -> bool {
        matches!(self, MailError::BadAddress | MailError::Refused(_))
    }

    /// Returns the answer of the mail server, if it gave one.
    pub fn answer(&self) -> Option<&ServerAnswer> {
        match self {
            MailError::Refused(answer) | MailError::Deferred(answer) | MailError::Declined(answer) => Some(answer),
            _ => None,
        }
    }

    /// Returns the text to store with the mail: the server's response without the address, or the error chain.
    pub fn stored_text(&self, address: &str) -> String {
        let text = match self.answer() {
            Some(answer) => format!("{} {}", answer.code, answer.text),
            None => ErrorChain(self).to_string(),
        };
        // The server saw the address in ASCII.
        let sent = email_address::to_ascii(address).unwrap_or_default();
        let forms = [address, &sent].into_iter().filter(|form| !form.is_empty());
        let text = forms.fold(text, |text, form| text.replace(form, "…"));
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
