//! Concurrent callers: each sends one request after the other to a running replica, and records the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::check::{CARDS_LEAST, LINKS_LEAST};
use super::fleet::Fleet;
use super::ledger::{Ledger, Link};
use crate::app::{http_client, picture};
use crate::webhook::follow::Followed;

const CALLERS: usize = 8;
/// The time limit of an answer; a longer one fails the test.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);
/// The pause between two requests of a caller.
const PAUSE: Duration = Duration::from_millis(15);

const CREATE: &str = "mutation ($input: CardCreateInput!) {
    cardCreate(input: $input) { card { id deceased { photoUrl } } userErrors { code message } }
}";
const UPDATE: &str = "mutation ($id: ID!, $input: CardUpdateInput!) {
    cardUpdate(id: $id, input: $input) { card { id } userErrors { code message } }
}";
const OPEN: &str = "mutation ($id: ID!) {
    cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } userErrors { code message } }
}";
const READ: &str = "query ($id: ID!) { card(id: $id) { id externalFuneralDirectorId deceased { photoUrl } } }";
const LISTS: &str = "{ themes(first: 5) { nodes { id } } webhookSubscriptions(first: 5) { nodes { id topic } } }";

/// The result of a request.
enum Heard {
    /// The data of an answer.
    Data(Value),
    /// 503, or a connection to a replica that was killed: the result is unknown.
    Nothing,
    /// The same request is still running.
    Running,
}

/// The running callers.
pub struct Crowd {
    ledger: Arc<Ledger>,
    stopped: Arc<AtomicBool>,
    callers: Vec<JoinHandle<()>>,
}

impl Crowd {
    /// Starts callers of this fleet, as the partner that receives the notifications.
    pub fn start(fleet: &Fleet, followed: &Followed) -> Self {
        followed.mock_server.photo("/portret.jpeg", "image/jpeg", picture::photo("jpeg"));
        let (ledger, stopped) = (Arc::<Ledger>::default(), Arc::<AtomicBool>::default());
        let caller = |number| Caller {
            number,
            fleet: fleet.clone(),
            ledger: Arc::clone(&ledger),
            token: followed.token.clone(),
            photo: format!("http://{}/portret.jpeg", followed.mock_server.http),
            stopped: Arc::clone(&stopped),
        };
        let callers = (0..CALLERS).map(|number| tokio::spawn(caller(number).run())).collect();
        Self { ledger, stopped, callers }
    }

    /// The record so far.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Waits until there is enough to check, even on a busy machine.
    pub async fn enough(&self) {
        let began = Instant::now();
        while self.ledger.cards().len() <= CARDS_LEAST || self.ledger.links().len() <= LINKS_LEAST {
            assert!(began.elapsed() < ANSWER_WITHIN, "the callers get nowhere: {:?}", self.ledger.counts());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Stops the callers. Each finishes its current request first.
    pub async fn rest(self) -> Arc<Ledger> {
        self.stopped.store(true, Ordering::SeqCst);
        for caller in self.callers {
            caller.await.expect("no caller panics");
        }
        self.ledger
    }
}

struct Caller {
    number: usize,
    fleet: Fleet,
    ledger: Arc<Ledger>,
    token: String,
    /// The address of its portraits.
    photo: String,
    stopped: Arc<AtomicBool>,
}

impl Caller {
    async fn run(self) {
        let mut keys: Vec<(String, String)> = Vec::new();
        for round in 0_usize.. {
            if self.stopped.load(Ordering::SeqCst) {
                return;
            }
            let key = format!("{}-{round}", self.number);
            let known = keys.get(round * 7 % keys.len().max(1)).cloned();
            match (round % 8, known) {
                (0, _) | (_, None) => keys.push((key.clone(), self.create(&key, round, false, false).await)),
                (3, _) => keys.push((key.clone(), self.create(&key, round, false, true).await)),
                (6, _) => keys.push((key.clone(), self.create(&key, round, true, true).await)),
                (4, Some((_, id))) => self.open(&id, round).await,
                (7, _) => self.lists(round).await,
                (2, Some((key, id))) => self.read(&key, &id, round).await,
                (_, Some((key, id))) => self.update(&key, &id, round).await,
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Creates a card, and repeats the request until it is acknowledged; `twice` sends it to two replicas at once.
    async fn create(&self, key: &str, round: usize, photo: bool, twice: bool) -> String {
        let mut input = json!({ "externalDossierId": key });
        if photo {
            input["deceased"] = json!({ "photoUrl": self.photo });
        }
        for attempt in 0.. {
            let send = |slot| self.ask(slot, CREATE, json!({ "input": input }), Some(key), attempt > 0 || twice);
            let first = self.number + round + attempt;
            let heard = match twice {
                true => <[Heard; 2]>::from(join(send(first), send(first + 1)).await).into(),
                false => vec![send(first).await],
            };
            let mut id = None;
            for heard in heard {
                match heard {
                    Heard::Data(mut data) => {
                        self.ledger.count(if photo {
                            "cards with a portrait acknowledged"
                        } else {
                            "cards acknowledged"
                        });
                        id = Some(self.ledger.created(key, &data["cardCreate"].take()));
                    }
                    Heard::Nothing | Heard::Running => {}
                }
            }
            match id {
                Some(id) => return id,
                None => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        unreachable!("it ends only by an acknowledgement")
    }

    async fn update(&self, key: &str, id: &str, round: usize) {
        let text = format!("{}-{round}", self.number);
        self.ledger.of_card(key, |entry| entry.doubtful.push(text.clone()));
        let variables = json!({ "id": id, "input": { "externalFuneralDirectorId": text } });
        match self.ask(self.number + round, UPDATE, variables, None, false).await {
            Heard::Data(data) if data["cardUpdate"]["userErrors"] == json!([]) => {
                self.ledger.count("updates acknowledged");
                self.ledger.of_card(key, |entry| {
                    entry.doubtful.clear();
                    entry.text = Some(text);
                    entry.updates += 1;
                });
            }
            Heard::Data(data) => self.ledger.fault(format!("an update of {key} was refused: {data}")),
            Heard::Nothing | Heard::Running => self.ledger.of_card(key, |entry| entry.untold += 1),
        }
    }

    async fn read(&self, key: &str, id: &str, round: usize) {
        if let Heard::Data(data) = self.ask(self.number + round, READ, json!({ "id": id }), None, false).await {
            self.ledger.count("cards read");
            self.ledger.read(key, &data["card"]);
        }
    }

    async fn lists(&self, round: usize) {
        if let Heard::Data(data) = self.ask(self.number + round, LISTS, json!({}), None, false).await {
            self.ledger.count("lists read");
            let count = data["webhookSubscriptions"]["nodes"].as_array().map(Vec::len);
            if count != Some(2) {
                self.ledger.fault(format!("there are two subscriptions, not {data}"));
            }
        }
    }

    /// Requests a link, and opens it at all replicas at once.
    async fn open(&self, id: &str, round: usize) {
        let Heard::Data(data) = self.ask(self.number + round, OPEN, json!({ "id": id }), None, false).await else {
            return;
        };
        let url = data["cardSessionCreate"]["cardSession"]["url"].as_str();
        let Some(path) = url.and_then(|url| url.find("/s/").map(|at| url[at..].to_owned())) else {
            return self.ledger.fault(format!("no link: {data}"));
        };
        let answers = join_all(self.fleet.bases().into_iter().map(|base| self.redeem(base, &path))).await;
        let opened = answers.iter().filter(|status| **status == Some(303)).count();
        let doubtful = answers.iter().any(|status| !matches!(status, Some(303 | 410)));
        if opened > 1 || (opened == 0 && !doubtful && !answers.is_empty()) {
            self.ledger.fault(format!("a link was answered with {answers:?}"));
        }
        self.ledger.count("links opened at all replicas at once");
        self.ledger.link(Link { path, opened, doubtful });
    }

    /// Returns the status of a link at one replica; `None` if the replica was killed meanwhile.
    async fn redeem(&self, base: String, path: &str) -> Option<u16> {
        let sent = http_client().get(format!("{base}{path}")).timeout(ANSWER_WITHIN).send().await;
        match sent.map(|answer| answer.status().as_u16()) {
            Ok(status @ (303 | 410 | 503)) => Some(status),
            Ok(status) => {
                self.ledger.fault(format!("a link is answered with {status}"));
                Some(status)
            }
            Err(error) => {
                self.broken(&base, &error).await;
                None
            }
        }
    }

    /// Sends a request to a replica. A failure other than 503 or a killed replica fails the test.
    async fn ask(&self, slot: usize, query: &str, variables: Value, key: Option<&str>, again: bool) -> Heard {
        let Some(base) = self.fleet.base(slot) else { return Heard::Nothing };
        let mut request = http_client()
            .post(format!("{base}/partner/api/2026-10/graphql"))
            .header("x-service-access-token", &self.token)
            .timeout(ANSWER_WITHIN)
            .json(&json!({ "query": query, "variables": variables }));
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let answered = async {
            let response = request.send().await?;
            Ok((response.status().as_u16(), response.bytes().await?))
        };
        let (status, body) = match answered.await {
            Ok(answered) => answered,
            Err(error) => {
                self.broken(&base, &error).await;
                return Heard::Nothing;
            }
        };
        let mut body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let code = body["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
        match (status, code) {
            (200, "") if body["data"].is_object() => Heard::Data(body["data"].take()),
            (503, "UNAVAILABLE") => {
                self.ledger.count("503 UNAVAILABLE");
                Heard::Nothing
            }
            (409, "IDEMPOTENCY_KEY_IN_PROGRESS") if again => {
                self.ledger.count("409 while the same request ran");
                Heard::Running
            }
            _ => {
                self.ledger.fault(format!("{status} {body}"));
                Heard::Nothing
            }
        }
    }

    /// Records a broken connection, which only a killed replica may cause.
    async fn broken(&self, base: &str, error: &reqwest::Error) {
        if self.fleet.was_killed(base) {
            self.ledger.count("connections to a killed replica broken");
        } else {
            self.ledger.fault(format!("a replica that lives broke a connection: {error:?}"));
        }
    }
}
