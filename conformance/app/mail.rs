//! The mails that the service sends in a test: files in the data folder, or at an SMTP server of the test.

use card_service::base::limits;
use card_service::model::{Card, Mail, MailState, Visibility};
use card_service::store::CardScope;
use mail_parser::{MessageParser, MimeHeaders as _};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use tempfile::TempDir;

use super::card::card_id;
use super::{TestApp, wait_for};

/// A sent mail.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The display name of the sender, and the address.
    pub from: (Option<String>, String),
    pub reply_to: Option<String>,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The pictures that the page shows: a content id, and a JPEG.
    pub pictures: Vec<(String, Vec<u8>)>,
    pub message_id: String,
    /// `TLS` or `clear`, as the SMTP server saw it.
    pub came_over: Option<String>,
}

impl Sent {
    fn read(file: &Path) -> Self {
        let bytes = std::fs::read(file).expect("a mail can be read");
        let message = MessageParser::default().parse(&bytes).expect("a mail is well-formed");
        let to = message.to().and_then(|to| to.first()).and_then(|to| to.address()).expect("a mail has an address");
        let from = message.from().and_then(|from| from.first()).expect("a mail has a sender");
        let picture =
            |part: &mail_parser::MessagePart<'_>| Some((part.content_id()?.to_owned(), part.contents().to_vec()));
        Self {
            from: (from.name().map(str::to_owned), from.address().expect("a sender has an address").to_owned()),
            reply_to: message.reply_to().and_then(|to| to.first()?.address()).map(str::to_owned),
            pictures: message.parts.iter().filter_map(picture).collect(),
            to: to.to_owned(),
            subject: message.subject().expect("a mail has a subject").to_owned(),
            text: message.body_text(0).expect("a mail has a text").into_owned(),
            html: message.body_html(0).expect("a mail has a page").into_owned(),
            message_id: message.message_id().expect("a mail has an id").to_owned(),
            came_over: message.header("X-Came-Over").and_then(|way| way.as_text()).map(str::to_owned),
        }
    }

    /// The address in the text that starts so.
    #[track_caller]
    pub fn link(&self, start: &str) -> String {
        let found = self.text.split_whitespace().find(|word| word.starts_with(start));
        found.unwrap_or_else(|| panic!("no address starts with {start}:\n{}", self.text)).to_owned()
    }
}

/// Waits for `count` mails in a folder; returns them oldest first.
async fn mails_in(folder: &Path, count: usize) -> Vec<Sent> {
    let mut files = wait_for("mails are in the folder", || async {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "eml"));
        Some(files).filter(|files| files.len() >= count)
    })
    .await;
    // Names of one millisecond are in no order.
    files.sort_by_cached_key(|file| (file.metadata().and_then(|facts| facts.modified()).ok(), file.clone()));
    assert_eq!(files.len(), count, "{count} mails are expected in {}", folder.display());
    files.iter().map(|file| Sent::read(file)).collect()
}

impl TestApp {
    /// Waits for `count` mails in the data folder; returns them oldest first.
    pub async fn mails(&self, count: usize) -> Vec<Sent> {
        mails_in(&self.folder().join("mail"), count).await
    }

    /// Orders and activates the card, and makes the mails of the order due.
    pub async fn online(&self, gid: &str) {
        self.order(gid).await;
        self.goes_online(gid).await;
    }

    /// Activates an ordered card and makes the mails of its order due.
    pub async fn goes_online(&self, gid: &str) {
        self.activate(gid).await;
        // An attempt before the card was online postpones the order mail.
        let is_tried = |mails: &[Mail]| {
            mails.first().is_none_or(|mail| mail.answer.is_some() || mail.attempts > 0 && !self.is_claimed(mail))
        };
        self.due_until(gid, is_tried).await;
    }

    /// Advances the manual clock to each time for which a mail of the card was postponed, until `is_done` accepts the mails;
    /// returns them. The clock does not move while a mail is claimed: the worker would count from another time than the test.
    pub async fn due_until(&self, gid: &str, is_done: impl Fn(&[Mail]) -> bool) -> Vec<Mail> {
        let is_done = &is_done;
        wait_for("the mails of the card come that far", || async {
            let mails = self.queued_mails(gid).await;
            if is_done(&mails) {
                return Some(mails);
            }
            let is_claimed = |mail: &Mail| mail.attempts > 0 && self.is_claimed(mail);
            let due =
                mails.iter().filter_map(|mail| if let MailState::Due(due) = mail.state { Some(due) } else { None });
            match due.min() {
                Some(due) if due > self.now() && !mails.iter().any(is_claimed) => {
                    self.pass(chrono::Duration::milliseconds(due.millis() - self.now().millis()));
                }
                _ => self.store().signals().notify_all(),
            }
            None
        })
        .await
    }

    /// Returns whether a worker has claimed the mail: its due time is the end of a lease, not of a wait.
    pub fn is_claimed(&self, mail: &Mail) -> bool {
        if mail.blocked_since.is_some() {
            return mail.attempts > 0; // such an attempt is not counted when it has failed
        }
        let lease = chrono::Duration::from_std(limits::MAIL_LEASE).expect("minutes fit");
        matches!(mail.state, MailState::Due(due) if due.plus(-lease) <= self.now() && due > self.now())
            && self.waits(mail).is_none()
    }

    /// Returns the number of the current wait after a failed attempt, from 1. The manual clock does not advance during an
    /// attempt, so the wait began within the last few seconds.
    pub fn waits(&self, mail: &Mail) -> Option<usize> {
        let MailState::Due(due) = mail.state else { return None };
        let number = usize::try_from(mail.attempts).ok().filter(|number| *number > 0)?;
        let wait = chrono::Duration::from_std(*limits::MAIL_RETRY_AFTER.get(number - 1)?).expect("a wait fits");
        let began = due.plus(-wait);
        (began <= self.now() && self.now() <= began.plus(chrono::Duration::seconds(30))).then_some(number)
    }

    /// Returns for how long in all the mail waits for the mail server at the moment.
    pub fn waits_for_server(&self, mail: &Mail) -> Option<chrono::Duration> {
        let (MailState::Due(due), Some(since)) = (mail.state, mail.blocked_since) else { return None };
        (mail.attempts == 0).then(|| chrono::Duration::milliseconds(due.millis() - since.millis()))
    }

    /// Sets who may see the card, as the family does.
    pub async fn set_visibility(&self, gid: &str, visibility: Visibility) {
        let change = move |card: &mut Card| {
            card.visibility = visibility;
            Ok::<_, ()>(Vec::new())
        };
        let scope = CardScope::Any { id: card_id(gid) };
        self.store().change_card(scope, self.now(), change).await.expect("the store answers").expect("a card");
    }

    /// Returns a metric of mails by the rest of its name after `card_service_mails_` or `card_service_mail_`.
    pub async fn mail_figure(&self, name: &str) -> f64 {
        let text = self.figures().await;
        let found = text.lines().find_map(|line| {
            let rest = line.strip_prefix("card_service_mails_").or_else(|| line.strip_prefix("card_service_mail_"))?;
            rest.strip_prefix(name)?.strip_prefix(' ')
        });
        found.unwrap_or_else(|| panic!("{name} is not in:\n{text}")).parse().expect("a number")
    }

    /// Returns whether a warning of readiness contains the text.
    pub async fn is_warned(&self, words: &str) -> bool {
        self.metrics_get("/health/ready").await.text().contains(words)
    }

    /// Returns the queued mails of a card, oldest first.
    pub async fn queued_mails(&self, gid: &str) -> Vec<Mail> {
        self.store().mails_of(card_id(gid)).await.expect("the store answers")
    }

    /// Waits until `is_done` accepts the queued mails of a card; returns them.
    pub async fn queued_until(&self, gid: &str, is_done: impl Fn(&[Mail]) -> bool) -> Vec<Mail> {
        let is_done = &is_done;
        wait_for("the queue comes that far", || async {
            Some(self.queued_mails(gid).await).filter(|queued| is_done(queued))
        })
        .await
    }
}

/// An SMTP server, aiosmtpd, in a process that is killed on drop.
pub struct SmtpServer {
    port: u16,
    folder: TempDir,
    process: Child,
    tls: SmtpTls,
    _held: ChildStdin,
}

/// The kind of TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpTls {
    None,
    /// STARTTLS (RFC 3207).
    StartTls,
    /// From the first byte (RFC 8314).
    Implicit,
}

impl SmtpServer {
    pub fn start() -> Self {
        Self::speaking(SmtpTls::None, "")
    }

    /// A server with a certificate and its key, in one text of PEM.
    pub fn speaking(tls: SmtpTls, certificate: &str) -> Self {
        let python = std::env::var("TEST_SMTP_PYTHON").unwrap_or_else(|_| "/usr/bin/python3".to_owned());
        let folder = tempfile::tempdir().expect("a folder for mails");
        std::fs::write(folder.path().join("server.pem"), certificate).expect("a file");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/mail/server.py");
        let mut process = Command::new(&python)
            .arg(script)
            .arg(folder.path())
            .arg(match tls {
                SmtpTls::None => "plain",
                SmtpTls::StartTls => "starttls",
                SmtpTls::Implicit => "implicit",
            })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python} cannot be run ({error})"));
        let held = process.stdin.take().expect("a pipe");
        let mut line = String::new();
        let _ = BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line);
        let port = line.trim().parse().unwrap_or_else(|_| {
            panic!(
                "no SMTP server: {python} needs aiosmtpd. `bash .ci/test` installs it; or: apt-get install \
                 python3-aiosmtpd, and TEST_SMTP_PYTHON names the python that has it"
            )
        });
        Self { port, folder, process, tls, _held: held }
    }

    pub fn url(&self) -> String {
        let port = self.port;
        match self.tls {
            SmtpTls::None => format!("smtp://127.0.0.1:{port}"),
            SmtpTls::StartTls => format!("smtp://127.0.0.1:{port}?tls=required"),
            SmtpTls::Implicit => format!("smtps://127.0.0.1:{port}"),
        }
    }

    /// Replaces the certificate.
    pub fn certify(&self, certificate: &str) {
        std::fs::write(self.folder.path().join("server.pem"), certificate).expect("a file");
    }

    /// Returns whether a client sent MAIL FROM without TLS.
    pub fn heard_in_the_clear(&self) -> bool {
        self.folder.path().join("clear").exists()
    }

    /// Stops refusing `busy@` and `unknown@`.
    pub fn is_free_again(&self) {
        std::fs::File::create(self.folder.path().join("free")).expect("a file").flush().expect("a file");
    }

    /// Waits for `count` accepted mails and returns them in order.
    pub async fn received_mails(&self, count: usize) -> Vec<Sent> {
        mails_in(self.folder.path(), count).await
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
