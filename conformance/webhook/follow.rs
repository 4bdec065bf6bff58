//! Runs the binary under load with a receiver, and checks that every event of every committed change has arrived, in order
//! per card, and no other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use card_service::base::{Clock, Timestamp};
use card_service::model::{SigningSecret, event_name};
use serde_json::json;
use tokio_postgres::NoTls;
use uuid::Uuid;

use super::arrival::{Arrival, arrivals, assert_signed};
use crate::app::mock_server::Reply;
use crate::app::{FreshDatabase, MockServer, Program};

/// The path of the receiver.
pub const HOOK: &str = "/hook";
const TOPICS: [&str; 2] = ["CARDS_CREATE", "CARDS_UPDATE"];

/// A program whose partner receives notifications at a mock server.
pub struct Followed {
    pub program: Program,
    pub mock_server: MockServer,
    pub token: String,
    secret: SigningSecret,
    database: FreshDatabase,
}

impl Followed {
    /// A partner with a key, a secret and a subscription to each topic.
    pub async fn new(database: FreshDatabase) -> Self {
        let program = Program::new(&database);
        Self::with(database, program).await
    }

    /// The same, with the settings of this program.
    pub async fn with(database: FreshDatabase, program: Program) -> Self {
        let mock_server = MockServer::start().await;
        mock_server.reply(HOOK, Reply::Status(200));
        let root = database.folder.path().join("far-side.pem");
        std::fs::write(&root, &mock_server.root).expect("the data folder can be written");
        let allowed = [mock_server.https, mock_server.http].map(|address| address.to_string());
        let program = program
            .set("EGRESS_ALLOW", &allowed.join(","))
            .set("EGRESS_CA", &root.display().to_string())
            .set("RUST_LOG", "error");
        let (token, secret) = program.token_and_secret("live");
        let serving = program.serve();
        for topic in TOPICS {
            let subscribe = "mutation ($topic: WebhookSubscriptionTopic!, $url: URL!) {
                webhookSubscriptionCreate(topic: $topic, webhookSubscription: { callbackUrl: $url }) {
                    webhookSubscription { id } userErrors { message }
                }
            }";
            let url = format!("https://127.0.0.1:{}{HOOK}", mock_server.https.port());
            let data = serving.data(&token, subscribe, json!({ "topic": topic, "url": url })).await;
            assert_eq!(data["webhookSubscriptionCreate"]["userErrors"], json!([]), "{data}");
        }
        assert!(serving.terminate());
        Self { program, mock_server, token, secret, database }
    }

    /// Waits until every committed event has been accepted; checks signatures and order, and reports repeats. Returns the
    /// number of events of each card.
    pub async fn everything_arrives(&self, patience: Duration) -> BTreeMap<String, usize> {
        let end = tokio::time::Instant::now() + patience;
        let events = loop {
            let events = self.events().await;
            let arrived: BTreeSet<String> = self.arrivals().iter().map(|a| a.header("webhook-id").to_owned()).collect();
            let missing = events.iter().filter(|event| !arrived.contains(&event.name)).count();
            if missing == 0 {
                break events;
            }
            let late = tokio::time::Instant::now() >= end;
            assert!(!late, "{missing} of {} events never arrived", events.len());
            tokio::time::sleep(Duration::from_secs(1)).await;
        };
        let of_card = events.iter().fold(BTreeMap::<String, usize>::new(), |mut counts, event| {
            *counts.entry(event.card.clone()).or_default() += 1;
            counts
        });

        let known: BTreeMap<&str, &Event> = events.iter().map(|event| (event.name.as_str(), event)).collect();
        let (mut latest, mut seen, mut repeated) = (HashMap::<String, i64>::new(), BTreeSet::new(), 0);
        for arrival in self.arrivals() {
            self.assert_signed(&arrival);
            let name = arrival.header("webhook-id").to_owned();
            let event = known.get(name.as_str()).unwrap_or_else(|| panic!("{name} was never committed"));
            assert_eq!((arrival.card(), arrival.sequence()), (event.card.as_str(), event.sequence), "{name}");
            if !seen.insert(name) {
                repeated += 1;
                continue;
            }
            // First arrivals are in order across the topics of the address.
            let last = latest.entry(event.card.clone()).or_default();
            assert!(*last < event.sequence, "{}: {} came after {last}", event.card, event.sequence);
            *last = event.sequence;
        }
        println!("{} events, each arrived; {repeated} arrived again", events.len());
        of_card
    }

    /// The accepted requests.
    fn arrivals(&self) -> Vec<Arrival> {
        arrivals(self.mock_server.requests().into_iter().filter(|seen| seen.accepted).collect(), HOOK)
    }

    fn assert_signed(&self, arrival: &Arrival) {
        let at = arrival.header("webhook-timestamp").parse().expect("seconds"); // the check comes long after it arrived
        assert_signed(arrival, &self.secret, at);
        let now: Timestamp = Clock::system().now();
        assert!(at <= now.millis() / 1_000, "signed in the future");
    }

    async fn events(&self) -> Vec<Event> {
        let url = &self.database.url;
        let rows: Vec<(Uuid, Uuid, i64)> = match url.strip_prefix("sqlite://") {
            Some(path) => {
                let connection = rusqlite::Connection::open(path).expect("the database opens");
                connection.busy_timeout(Duration::from_secs(10)).expect("waiting can be set");
                let mut query = connection.prepare("SELECT id, card_id, sequence FROM events").expect("a query");
                let uuid = |bytes: Vec<u8>| Uuid::from_slice(&bytes).expect("16 bytes");
                let rows = query.query_map([], |row| Ok((uuid(row.get(0)?), uuid(row.get(1)?), row.get(2)?)));
                rows.expect("rows").map(|row| row.expect("a row")).collect()
            }
            None => {
                let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
                tokio::spawn(connection);
                let query = "SELECT id::text, card_id::text, sequence::text FROM events";
                let messages = client.simple_query(query).await.expect("rows");
                let rows = messages.iter().filter_map(|message| match message {
                    tokio_postgres::SimpleQueryMessage::Row(row) => Some(row),
                    _ => None,
                });
                let text = |row: &tokio_postgres::SimpleQueryRow, n| row.get(n).expect("no null").to_owned();
                rows.map(|row| {
                    let uuid = |n| text(row, n).parse().expect("a uuid");
                    (uuid(0), uuid(1), text(row, 2).parse().expect("a number"))
                })
                .collect()
            }
        };
        let event =
            |(id, card, sequence)| Event { name: event_name(id), card: format!("gid://service/Card/{card}"), sequence };
        rows.into_iter().map(event).collect()
    }
}

struct Event {
    name: String,
    card: String,
    sequence: i64,
}
