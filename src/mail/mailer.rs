//! The mailer: sends every mail of the service.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lettre::Message;
use lettre::message::Mailbox;
use tokio::io::AsyncWriteExt as _;

use super::smtp::{self, Smtp};
use super::{Email, MailError, MailerError};
use crate::base::private;

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
    Script(Script),
}

/// Takes the mails of a test.
type Script = Arc<dyn Fn(Email) -> Result<(), MailError> + Send + Sync>;

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

    /// A mailer that gives every mail to `answer`. For tests.
    pub fn scripted(answer: impl Fn(Email) -> Result<(), MailError> + Send + Sync + 'static) -> Self {
        let sender = mailbox("post@kaarten.example").expect("an address");
        Self { sender, transport: Transport::Script(Arc::new(answer)) }
    }

    /// Whether a text is a valid sender.
    pub fn is_sender(text: &str) -> bool {
        mailbox(text).is_ok()
    }

    /// Whether mails are written into a folder instead of sent.
    pub fn is_folder(&self) -> bool {
        matches!(self.transport, Transport::Folder(_))
    }

    /// Sends a mail. Returns after the server has accepted it, or the file is written.
    pub async fn send(&self, email: Email) -> Result<(), MailError> {
        match &self.transport {
            Transport::Smtp(server) => smtp::send(server, email.into_message(&self.sender)?).await,
            Transport::Folder(folder) => {
                let id = email.id.to_string();
                write(folder, &id, email.into_message(&self.sender)?).await.map_err(MailError::Folder)
            }
            Transport::Script(answer) => answer(email),
        }
    }
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
            Transport::Script(_) => "Mailer(script)",
        })
    }
}
