//! The mailer: sends every mail of the service.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lettre::Message;
use lettre::message::Mailbox;
use tokio::io::AsyncWriteExt as _;
use uuid::Uuid;

use super::smtp::{self, Smtp};
use super::{Email, MailError, MailerError};
use crate::base::{Timestamp, private};

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

    /// Whether a text is a valid sender.
    pub fn is_sender(text: &str) -> bool {
        mailbox(text).is_ok()
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
    text.parse().map(Arc::new).map_err(|_| MailerError::Sender)
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.transport {
            Transport::Smtp(_) => "Mailer(smtp)",
            Transport::Folder(_) => "Mailer(folder)",
        })
    }
}
