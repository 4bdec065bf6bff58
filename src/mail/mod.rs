//! Sends mails to an SMTP server or into a folder (decisions S10). The only module that uses lettre.
//!
//! Called by the mail worker with a complete [`Email`]. Queueing and retries are the worker's.

mod email;
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

/// Sends mails; cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    sender: Arc<Mailbox>,
    transport: Transport,
}

#[derive(Clone)]
enum Transport {
    Smtp(Smtp),
    /// One file for each mail, in its message format.
    Folder(Arc<Path>),
}

impl Mailer {
    /// Returns a mailer for an SMTP server. `sender` is an address such as `post@voorbeeld.nl` or
    /// `Gedenkkaart <post@voorbeeld.nl>`; `extra_roots` is a PEM file of roots to trust in addition to the system's.
    pub fn smtp(url: &str, extra_roots: Option<&Path>, sender: &str) -> Result<Self, MailerError> {
        Ok(Self { sender: mailbox(sender)?, transport: Transport::Smtp(smtp::open(url, extra_roots)?) })
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

    /// Sends a mail. Returns after the server has accepted it, or the file is written.
    pub async fn send(&self, email: Email) -> Result<(), MailError> {
        match &self.transport {
            Transport::Smtp(server) => smtp::send(server, email.into_message(&self.sender)?).await,
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
    file.write_all(&message.formatted()).await?;
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
    /// Final: the address is invalid (`None`), or the mail server refuses the address or the mail.
    #[error("{}", .0.as_ref().map_or(
        "no mail can be sent to the address: it has quotes, or letters outside ASCII before the @".to_owned(),
        |answer| format!("the mail was refused (SMTP {})", answer.code),
    ))]
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
