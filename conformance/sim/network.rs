//! The receivers of notifications of a run. They answer as their `Mood` says, and keep the notifications.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;
use card_service::model::NoAnswer;
use card_service::outbound::{Answer, EgressPolicy, FetchError, Names, Outbound, Script};
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
        let names = Names::table([("hooks.example", vec![address("93.184.215.14")])]);
        let network = self.clone();
        let client = Outbound::new(EgressPolicy::default(), names, None).expect("a client");
        client.with_script(Script::new(move |url, headers, body| network.answer(url, headers, body)))
    }

    fn answer(&self, url: &Url, headers: HeaderMap, body: Bytes) -> Answer {
        let mood = self.mood(url.as_str());
        self.state().posts.push(Post { url: url.clone(), headers, body });
        let answer = Response::builder();
        let answer = match mood {
            Mood::Accepts => answer,
            Mood::Fails => answer.status(500),
            Mood::Busy => answer.status(503).header(RETRY_AFTER, BUSY_SECONDS),
            Mood::Gone => answer.status(410),
            Mood::TimesOut => return Err(FetchError::NoAnswer(NoAnswer::AnswerTimeOut)),
        };
        Ok(answer.body(Bytes::new()).expect("a response"))
    }
}
