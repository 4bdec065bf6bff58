//! The one way out for mails. Handed to the operations as a service, so that a test can hand in another one.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lettre::Message;
use lettre::message::Mailbox;
use tokio::io::AsyncWriteExt as _;

use super::smtp::{self, Smtp};
use super::{Letter, MailError, MailerError};
use crate::base::private;

/// Sends mails; cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    sender: Arc<Mailbox>,
    way: Way,
}

#[derive(Clone)]
enum Way {
    Smtp(Smtp),
    /// One file for each mail, in the form in which it would have gone out.
    Folder(Arc<Path>),
}

impl Mailer {
    /// Through an SMTP server, in the name of `sender`: `post@voorbeeld.nl` or `Gedenkkaart <post@voorbeeld.nl>`.
    /// `extra_roots`: a PEM file of roots to trust beside the machine's.
    pub fn smtp(url: &str, extra_roots: Option<&Path>, sender: &str) -> Result<Self, MailerError> {
        Ok(Self { sender: mailbox(sender)?, way: Way::Smtp(smtp::open(url, extra_roots)?) })
    }

    /// Into a folder of this machine, which is made when it is not there.
    pub fn folder(folder: PathBuf, sender: &str) -> Result<Self, MailerError> {
        let sender = mailbox(sender)?;
        private::create_folder(&folder).map_err(|error| MailerError::Folder(folder.clone(), error))?;
        Ok(Self { sender, way: Way::Folder(folder.into()) })
    }

    /// Whether a text can stand as the sender.
    pub fn is_sender(text: &str) -> bool {
        mailbox(text).is_ok()
    }

    /// Whether mails are written into a folder, and reach nobody.
    pub fn is_folder(&self) -> bool {
        matches!(self.way, Way::Folder(_))
    }

    /// Hands a mail over. `Ok`: the server has taken it, or the file is there.
    pub async fn send(&self, letter: Letter) -> Result<(), MailError> {
        let id = letter.id;
        let message = letter.into_message(&self.sender)?;
        match &self.way {
            Way::Smtp(server) => smtp::send(server, message).await,
            Way::Folder(folder) => write(folder, &id.to_string(), message).await.map_err(MailError::Folder),
        }
    }
}

/// A file appears whole or not at all; a mail that goes out twice is one file.
async fn write(folder: &Path, name: &str, message: Message) -> io::Result<()> {
    let (whole, partial) = (folder.join(format!("{name}.eml")), folder.join(format!("{name}.partial")));
    let mut options = tokio::fs::OpenOptions::from(private::options());
    let mut file = options.create(true).truncate(true).open(&partial).await?;
    file.write_all(&message.formatted()).await?;
    file.flush().await?;
    tokio::fs::rename(&partial, &whole).await
}

fn mailbox(text: &str) -> Result<Arc<Mailbox>, MailerError> {
    text.parse().map(Arc::new).map_err(|_| MailerError::Sender)
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.way {
            Way::Smtp(_) => "Mailer(smtp)",
            Way::Folder(_) => "Mailer(folder)",
        })
    }
}
