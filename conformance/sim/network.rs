//! The outside world of a run: the receivers of notifications, the mail server and the photos of partners. Receivers and the
//! mail server answer by their mood, and keep what they got.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use card_service::mail::{Email, MailError, Mailer, ServerAnswer};
use card_service::model::UserErrorCode;
use card_service::outbound::{Answer, FetchError, Names, Outbound};
use http::header::RETRY_AFTER;
use http::{HeaderMap, Response};
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

/// The receiver that repeats no challenge.
pub const WITHOUT_CHALLENGE: &str = "https://hooks.example/c";

/// The addresses of photos of a partner. The last three give none.
pub const PHOTOS: [&str; 5] = [
    "https://hooks.example/photo/1.gif",
    "https://hooks.example/photo/2.gif",
    "https://hooks.example/photo/text",
    "https://hooks.example/photo/missing",
    "https://hooks.example/photo/slow",
];

/// A GIF of one pixel of this colour, with a comment that pages must not show.
pub fn gif(colour: u8) -> Bytes {
    let start = [b"GIF89a\x01\0\x01\0\x80\0\0".as_slice(), &[colour, 0, 0, 0, 0, 0], b"\x21\xFE\x06"].concat();
    [start.as_slice(), GIF_COMMENT, b"\0\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3B"].concat().into()
}

pub const GIF_COMMENT: &[u8] = b"PLAATS";

/// The photo at an address of a partner, or the code with which the address is refused.
pub fn photo(url: &str) -> Result<Bytes, UserErrorCode> {
    match PHOTOS.iter().position(|known| *known == url) {
        Some(index @ 0..2) => Ok(gif(index as u8)),
        Some(2) => Err(UserErrorCode::Invalid),
        _ => Err(UserErrorCode::Unprocessable),
    }
}

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

/// A received notification or challenge.
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
        Outbound::scripted(names, move |url, posted| match posted {
            Some((headers, body)) => network.post(url, headers, body),
            None => fetch(url),
        })
    }

    fn post(&self, url: &Url, headers: HeaderMap, body: Bytes) -> Answer {
        let mood = self.mood(url.as_str());
        let answer = Response::builder();
        let answered = match mood {
            Mood::Accepts => {
                answer.body(if url.as_str() == WITHOUT_CHALLENGE || headers.contains_key("x-service-topic") {
                    "ja".into()
                } else {
                    repeated(&body)
                })
            }
            Mood::Fails => answer.status(500).body(Bytes::new()),
            Mood::Busy => answer.status(503).header(RETRY_AFTER, BUSY_SECONDS).body(Bytes::new()),
            Mood::Gone => answer.status(410).body(Bytes::new()),
            Mood::TimesOut => Ok(Response::default()),
        };
        self.state().posts.push(Post { url: url.clone(), headers, body });
        if mood == Mood::TimesOut { Err(FetchError::TimeOut) } else { Ok(answered.expect("a response")) }
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

/// The text of a challenge, which its receiver repeats.
fn repeated(body: &[u8]) -> Bytes {
    let body: serde_json::Value = serde_json::from_slice(body).expect("JSON");
    body["challenge"].as_str().unwrap_or_default().to_owned().into()
}

/// Answers a GET of a photo.
fn fetch(url: &Url) -> Answer {
    let status = |status: u16, body: Bytes| Ok(Response::builder().status(status).body(body).expect("a response"));
    match (photo(url.as_str()), url.path()) {
        (Ok(photo), _) => status(200, photo),
        (_, "/photo/text") => status(200, "geen foto".into()),
        (_, "/photo/slow") => Err(FetchError::TimeOut),
        _ => status(404, Bytes::new()),
    }
}
