//! The outside world of a run: the receivers of notifications and the mail server. They answer by their mood, and keep what
//! they got.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use card_service::mail::{Email, MailError, Mailer, ServerAnswer};
use card_service::outbound::{FetchError, Names, Outbound, Receipt};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::HeaderMap;
use url::Url;

/// How a receiver answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    #[default]
    Accepts,
    Fails,
    /// Answers 503 with `Retry-After: 7200`.
    Busy,
    /// Answers 410.
    Gone,
    TimesOut,
}

/// The delay that a busy receiver asks for.
pub const BUSY_SECONDS: u64 = 7_200;

/// How the mail server answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MailMood {
    #[default]
    Accepts,
    /// Answers 451.
    Busy,
    /// Answers 550.
    Refuses,
}

/// A received notification.
pub struct Post {
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Bytes,
}

#[derive(Default)]
pub struct State {
    /// By address; any other accepts.
    pub moods: BTreeMap<String, Mood>,
    pub posts: Vec<Post>,
    pub mail: MailMood,
    /// The mails that were accepted, and those that were not.
    pub mails: Vec<(Email, bool)>,
}

/// Cheap to clone.
#[derive(Clone, Default)]
pub struct Network(Arc<Mutex<State>>);

impl Network {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no call panics with the lock")
    }

    pub fn mood(&self, url: &str) -> Mood {
        self.state().moods.get(url).copied().unwrap_or_default()
    }

    /// The client of the service.
    pub fn outbound(&self) -> Outbound {
        let address = |text: &str| text.parse().expect("an address");
        let names = Names::table([
            ("hooks.example", vec![address("93.184.215.14")]),
            ("inside.example", vec![address("10.0.0.1")]),
        ]);
        let network = self.clone();
        Outbound::scripted(names, move |url, headers, body| network.post(url, headers, body))
    }

    fn post(&self, url: Url, headers: HeaderMap, body: Bytes) -> BoxFuture<'static, Result<Receipt, FetchError>> {
        let mood = self.mood(url.as_str());
        self.state().posts.push(Post { url, headers, body });
        let answer = |status, retry_after: Option<String>| Ok(Receipt { status, retry_after });
        let answer = match mood {
            Mood::Accepts => answer(204, None),
            Mood::Fails => answer(500, None),
            Mood::Busy => answer(503, Some(BUSY_SECONDS.to_string())),
            Mood::Gone => answer(410, None),
            Mood::TimesOut => Err(FetchError::TimeOut),
        };
        std::future::ready(answer).boxed()
    }

    /// The mailer of the service.
    pub fn mailer(&self) -> Mailer {
        let network = self.clone();
        Mailer::scripted(move |email| network.mail(email))
    }

    fn mail(&self, email: Email) -> Result<(), MailError> {
        let mut state = self.state();
        let mood = state.mail;
        state.mails.push((email, mood == MailMood::Accepts));
        let answer = |code, text: &str| ServerAnswer { code, text: text.to_owned() };
        match mood {
            MailMood::Accepts => Ok(()),
            MailMood::Busy => Err(MailError::Answered(answer(451, "later"))),
            MailMood::Refuses => Err(MailError::Refused(Some(answer(550, "no such mailbox")))),
        }
    }
}
