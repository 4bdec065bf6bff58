//! The limit to measure against: a server that answers the workloads with the same bytes, without GraphQL, token and rate
//! limit. It changes the same rows with the same durability: on SQLite with one writer that gathers cards in a commit, on
//! PostgreSQL over connections that each carry the requests of many clients.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use bytes::Bytes;
use card_service::base::{Entropy, limits};
use card_service::model::SigningSecret;
use card_service::webhook;
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use futures_util::stream::{self, StreamExt as _};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rusqlite::{Connection, Row, params};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Statement};
use uuid::Uuid;

use crate::database::PUBLIC_BASE;

/// Changes that share a commit, at most.
const GROUP_MAX: usize = 64;
const POSTGRES_CONNECTIONS: usize = 4;

// Both databases number parameters by their first occurrence.
const STATEMENTS: [&str; 6] = [
    "SELECT external_dossier_id, external_funeral_director_id, deceased_first_name, deceased_last_name, \
     deceased_date_of_birth, deceased_date_of_death, livestream_url, family_contact_name, family_contact_email, status, \
     test, created_at, updated_at, themes.id, number, title, handle FROM cards JOIN themes ON themes.id = theme_id \
     WHERE cards.id = $1",
    "SELECT id, number, handle, title, images, position FROM themes WHERE retired_at IS NULL ORDER BY position, number \
     LIMIT 51",
    "INSERT INTO cards (id, partner_id, external_dossier_id, deceased_first_name, deceased_last_name, \
     deceased_date_of_birth, created_at, updated_at, layout, visibility, status, test, event_count) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 'PORTRAIT', 'OPEN', 'DRAFT', false, 1)",
    "INSERT INTO events (id, partner_id, card_id, topic, sequence, actor, changed_fields, test, occurred_at) \
     VALUES ($1, $2, $3, 'CARDS_CREATE', 1, 'PARTNER', '[]', false, $4)",
    "INSERT INTO idempotency_keys (partner_id, mode, key, ordinal, input, card_id, made_at) \
     VALUES ($1, 'live', $2, 0, $3, $4, $5)",
    "UPDATE idempotency_keys SET request = $1, response = $2 WHERE partner_id = $3 AND mode = 'live' AND key = $4",
];
const CARD: usize = 0;
const THEMES: usize = 1;
const INSERT_CARD: usize = 2;
const INSERT_EVENT: usize = 3;
const INSERT_KEY: usize = 4;
const STORE_RESPONSE: usize = 5;

enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// Serves until the process is stopped, and prints its address.
pub(crate) fn serve(url: &str, partner: Uuid, introspection: Vec<u8>) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    runtime.block_on(async move {
        let database = match url.strip_prefix("sqlite://") {
            Some(path) => Database::Sqlite(Sqlite::open(path, partner)),
            None => Database::Postgres(Postgres::connect(url, partner).await),
        };
        let shared = Arc::new((database, Bytes::from(introspection)));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        println!("listening on http://{}", listener.local_addr().expect("bound"));
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            stream.set_nodelay(true).expect("a socket option");
            let shared = Arc::clone(&shared);
            let service = service_fn(move |request: Request<Incoming>| {
                let shared = Arc::clone(&shared);
                async move {
                    let (head, body) = request.into_parts();
                    let body = body.collect().await.expect("a body").to_bytes();
                    let key = head.headers.get("idempotency-key").map(|key| key.to_str().expect("text").to_owned());
                    let response = Response::builder().header("content-type", "application/json; charset=utf-8");
                    let response = response.header("cache-control", "no-store");
                    response.body(Full::new(answer(&shared.0, &shared.1, key, &body).await))
                }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
}

async fn answer(database: &Database, introspection: &Bytes, key: Option<String>, body: &[u8]) -> Bytes {
    let request: Value = serde_json::from_slice(body).expect("a request of the load generator");
    let variables = &request["variables"];
    let json = match (request["operationName"].as_str().expect("a name"), database) {
        ("Card", database) => {
            let id = variables["id"].as_str().and_then(|id| id.strip_prefix("gid://service/Card/")).expect("an id");
            let id = Uuid::parse_str(id).expect("an id");
            match database {
                Database::Sqlite(sqlite) => sqlite.card(id),
                Database::Postgres(postgres) => postgres.card(id).await,
            }
        }
        ("Themes", database) => {
            let themes = match database {
                Database::Sqlite(sqlite) => sqlite.themes(),
                Database::Postgres(postgres) => postgres.themes().await,
            };
            write_themes(&themes, 50)
        }
        ("IntrospectionQuery", _) => return introspection.clone(),
        ("Create", database) => {
            let new = NewCard::new(&variables["input"], key, body);
            match database {
                Database::Sqlite(sqlite) => sqlite.create(new).await,
                Database::Postgres(postgres) => postgres.create(new).await,
            }
        }
        ("Deliver", _) => {
            deliver(variables["url"].as_str().expect("a URL"), variables["count"].as_u64().expect("a number")).await;
            b"{}".to_vec()
        }
        (other, _) => panic!("no workload {other}"),
    };
    Bytes::from(json)
}

/// Writes a card from its columns up to `status`, its test mark, its times and its theme. `cardUrl` is null: the workload creates drafts.
fn write_card(
    id: Uuid,
    columns: [Option<&str>; 10],
    test: bool,
    times: [DateTime<Utc>; 2],
    (theme, number, title, handle): (Uuid, i64, &str, &str),
) -> Vec<u8> {
    let [dossier, director, first_name, last_name, born, died, livestream, name, email, status] =
        columns.map(|column| serde_json::to_string(&column).expect("text"));
    let [created, updated] = times.map(write_time);
    format!(
        r#"{{"data":{{"card":{{"id":"gid://service/Card/{id}","theme":{{"id":"gid://service/Theme/{theme}","legacyResourceId":"{number}","title":"{title}","handle":"{handle}"}},"externalDossierId":{dossier},"externalFuneralDirectorId":{director},"deceased":{{"firstName":{first_name},"lastName":{last_name},"dateOfBirth":{born},"dateOfDeath":{died}}},"livestreamUrl":{livestream},"familyContact":{{"name":{name},"email":{email}}},"status":{status},"cardUrl":null,"test":{test},"createdAt":"{created}","updatedAt":"{updated}"}}}}}}"#
    )
    .into_bytes()
}

/// The columns of a theme: id, number, handle, title, images, position.
type Theme = (Uuid, i64, String, String, String, i64);

fn write_themes(themes: &[Theme], first: usize) -> Vec<u8> {
    let page = &themes[..first.min(themes.len())];
    let nodes = page.iter().map(|(id, _, handle, title, images, _)| {
        let images: Vec<Value> = serde_json::from_str(images).expect("JSON");
        let images = images.iter().map(|image| {
            let (key, alt_text) = (image["key"].as_str().expect("a key"), &image["altText"]);
            format!(r#"{{"url":"{PUBLIC_BASE}/media/theme/{key}","altText":{alt_text}}}"#)
        });
        let images = images.collect::<Vec<_>>().join(",");
        format!(r#"{{"id":"gid://service/Theme/{id}","title":"{title}","handle":"{handle}","images":[{images}]}}"#)
    });
    let nodes = nodes.collect::<Vec<_>>().join(",");
    let (_, number, .., position) = page.last().expect("themes");
    let cursor = [&[1, b't'][..], &position.to_be_bytes(), &number.to_be_bytes()].concat();
    let cursor = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(cursor);
    let has_next = themes.len() > first;
    format!(
        r#"{{"data":{{"themes":{{"nodes":[{nodes}],"pageInfo":{{"hasNextPage":{has_next},"endCursor":"{cursor}"}}}}}}}}"#
    )
    .into_bytes()
}

fn write_time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A card to create.
struct NewCard {
    id: Uuid,
    event_id: Uuid,
    at: DateTime<Utc>,
    dossier: String,
    first_name: String,
    last_name: String,
    date_of_birth: NaiveDate,
    key: Option<Key>,
}

/// The idempotency key of a request, and the digest of its body.
#[derive(Clone)]
struct Key {
    text: String,
    digest: [u8; 32],
}

impl NewCard {
    fn new(input: &Value, key: Option<String>, body: &[u8]) -> Self {
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let deceased = &input["deceased"];
        let key = key.map(|text| Key { text, digest: Sha256::digest(body).into() });
        let at = DateTime::from_timestamp_millis(Utc::now().timestamp_millis()).expect("in range");
        Self {
            id: Uuid::now_v7(),
            event_id: Uuid::now_v7(),
            at,
            dossier: text(&input["externalDossierId"]),
            first_name: text(&deceased["firstName"]),
            last_name: text(&deceased["lastName"]),
            date_of_birth: text(&deceased["dateOfBirth"]).parse().expect("a date"),
            key,
        }
    }

    fn write(&self) -> Vec<u8> {
        let (id, dossier, at) = (self.id, Value::from(&*self.dossier), write_time(self.at));
        format!(
            r#"{{"data":{{"cardCreate":{{"card":{{"id":"gid://service/Card/{id}","externalDossierId":{dossier},"status":"DRAFT","test":false,"createdAt":"{at}"}},"userErrors":[]}}}}}}"#
        )
        .into_bytes()
    }
}

struct Sqlite {
    reader: Mutex<Connection>,
    jobs: mpsc::Sender<Job>,
}

enum Job {
    Create(Box<NewCard>, oneshot::Sender<Vec<u8>>),
    StoreResponse(Key, Vec<u8>),
}

impl Sqlite {
    fn open(path: &str, partner: Uuid) -> Self {
        let connect = || {
            let connection = Connection::open(path).expect("the database that the real server made");
            let pragmas = "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;
                PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000;";
            connection.execute_batch(pragmas).expect("pragmas");
            connection
        };
        let (jobs, queue) = mpsc::channel(1024);
        let writer = connect();
        std::thread::spawn(move || write_loop(&writer, partner, queue));
        Self { reader: Mutex::new(connect()), jobs }
    }

    fn card(&self, id: Uuid) -> Vec<u8> {
        let connection = self.reader.lock().expect("one thread");
        let mut select = connection.prepare_cached(STATEMENTS[CARD]).expect("the same SQL");
        let write = |row: &Row<'_>| {
            let text = |column| row.get_ref(column).expect("a column").as_str_or_null().expect("text");
            let time = |column| DateTime::from_timestamp_millis(row.get(column).expect("a number")).expect("in range");
            let theme =
                (Uuid::from_bytes(row.get(13)?), row.get(14)?, text(15).expect("text"), text(16).expect("text"));
            Ok(write_card(id, std::array::from_fn(text), row.get(10)?, [time(11), time(12)], theme))
        };
        select.query_row([&id.as_bytes()[..]], write).expect("a card")
    }

    fn themes(&self) -> Vec<Theme> {
        let connection = self.reader.lock().expect("one thread");
        let mut select = connection.prepare_cached(STATEMENTS[THEMES]).expect("the same SQL");
        let theme = |row: &Row<'_>| {
            let (id, number, handle, title, images, position) = row.try_into()?;
            Ok((Uuid::from_bytes(id), number, handle, title, images, position))
        };
        select.query_map([], theme).expect("a read").collect::<Result<_, _>>().expect("themes")
    }

    async fn create(&self, new: NewCard) -> Vec<u8> {
        let (answer, done) = oneshot::channel();
        let key = new.key.clone();
        self.jobs.send(Job::Create(Box::new(new), answer)).await.expect("the writer runs");
        let answer = done.await.expect("the writer answers");
        if let Some(key) = key {
            self.jobs.send(Job::StoreResponse(key, answer.clone())).await.expect("the writer runs");
        }
        answer
    }
}

fn write_loop(connection: &Connection, partner: Uuid, mut queue: mpsc::Receiver<Job>) {
    let partner = &partner.as_bytes()[..];
    let execute = |statement: usize, values: &[&dyn rusqlite::ToSql]| {
        let changed = connection.prepare_cached(STATEMENTS[statement]).expect("the same SQL").execute(values);
        assert_eq!(changed.expect("a change"), 1);
    };
    while let Some(first) = queue.blocking_recv() {
        connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
        let mut answers = Vec::new();
        let (mut next, mut count) = (Some(first), 0);
        while let Some(job) = next {
            match job {
                Job::Create(new, answer) => {
                    let (id, at) = (&new.id.as_bytes()[..], new.at.timestamp_millis());
                    if let Some(key) = &new.key {
                        execute(INSERT_KEY, params![partner, key.text, &key.digest[..], id, at]);
                    }
                    let born = new.date_of_birth.to_string();
                    execute(INSERT_CARD, params![id, partner, new.dossier, new.first_name, new.last_name, born, at]);
                    execute(INSERT_EVENT, params![&new.event_id.as_bytes()[..], partner, id, at]);
                    answers.push((new.write(), answer));
                }
                Job::StoreResponse(key, response) => {
                    let response = String::from_utf8(response).expect("JSON is text");
                    execute(STORE_RESPONSE, params![&key.digest[..], response, partner, key.text]);
                }
            }
            count += 1;
            next = if count < GROUP_MAX { queue.try_recv().ok() } else { None };
        }
        connection.execute_batch("COMMIT").expect("a commit");
        for (json, answer) in answers {
            let _ = answer.send(json);
        }
    }
}

struct Postgres {
    connections: Vec<Prepared>,
    next: AtomicUsize,
    responses: mpsc::UnboundedSender<(Key, Vec<u8>)>,
    partner: Uuid,
}

/// A connection with its prepared statements.
struct Prepared(Client, Vec<Statement>);

impl Prepared {
    async fn connect(url: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
        tokio::spawn(connection);
        // Plans that do not depend on the size of a table when its statement was planned.
        client.batch_execute("SET enable_seqscan = off").await.expect("a setting");
        let mut statements = Vec::new();
        for sql in STATEMENTS {
            statements.push(client.prepare(sql).await.expect("the same SQL"));
        }
        Self(client, statements)
    }

    async fn execute(&self, statement: usize, values: &[&(dyn ToSql + Sync)]) {
        assert_eq!(self.0.execute(&self.1[statement], values).await.expect("a change"), 1);
    }

    /// Runs changes as one transaction, whose statements are all sent before the first answer: each future sends its
    /// statement when it is first polled, in this order, and no other task runs in between.
    async fn commit(&self, changes: impl Future) {
        let (begun, _, committed) =
            tokio::join!(biased; self.0.batch_execute("BEGIN"), changes, self.0.batch_execute("COMMIT"));
        begun.and(committed).expect("a transaction");
    }
}

impl Postgres {
    async fn connect(url: &str, partner: Uuid) -> Self {
        let mut connections = Vec::new();
        for _ in 0..POSTGRES_CONNECTIONS {
            connections.push(Prepared::connect(url).await);
        }
        let (responses, mut queue) = mpsc::unbounded_channel::<(Key, Vec<u8>)>();
        let storing = Prepared::connect(url).await;
        tokio::spawn(async move {
            let mut batch = Vec::new();
            while queue.recv_many(&mut batch, GROUP_MAX).await > 0 {
                let updates = batch.drain(..).map(async |(key, response)| {
                    let response = std::str::from_utf8(&response).expect("JSON is text");
                    storing.execute(STORE_RESPONSE, &[&&key.digest[..], &response, &partner, &key.text]).await;
                });
                storing.commit(futures_util::future::join_all(updates)).await;
            }
        });
        Self { connections, next: AtomicUsize::new(0), responses, partner }
    }

    fn connection(&self) -> &Prepared {
        &self.connections[self.next.fetch_add(1, Ordering::Relaxed) % POSTGRES_CONNECTIONS]
    }

    async fn card(&self, id: Uuid) -> Vec<u8> {
        let Prepared(client, statements) = self.connection();
        let row = client.query_one(&statements[CARD], &[&id]).await.expect("a card");
        let date = |column: usize| row.get::<_, Option<NaiveDate>>(column).map(|date| date.to_string());
        let dates = [date(4), date(5)];
        let text = |column| match column {
            4 | 5 => dates[column - 4].as_deref(),
            _ => row.get(column),
        };
        let theme = (row.get(13), row.get(14), row.get(15), row.get(16));
        write_card(id, std::array::from_fn(text), row.get(10), [row.get(11), row.get(12)], theme)
    }

    async fn themes(&self) -> Vec<Theme> {
        let Prepared(client, statements) = self.connection();
        let rows = client.query(&statements[THEMES], &[]).await.expect("a read");
        rows.iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3), row.get(4), row.get(5))).collect()
    }

    async fn create(&self, new: NewCard) -> Vec<u8> {
        let (c, partner) = (self.connection(), &self.partner);
        let key = async {
            if let Some(key) = &new.key {
                c.execute(INSERT_KEY, &[partner, &key.text, &&key.digest[..], &new.id, &new.at]).await;
            }
        };
        let card: [&(dyn ToSql + Sync); 7] =
            [&new.id, partner, &new.dossier, &new.first_name, &new.last_name, &new.date_of_birth, &new.at];
        let card = c.execute(INSERT_CARD, &card);
        let event: [&(dyn ToSql + Sync); 4] = [&new.event_id, partner, &new.id, &new.at];
        let event = c.execute(INSERT_EVENT, &event);
        c.commit(async { tokio::join!(biased; key, card, event) }).await;
        let answer = new.write();
        if let Some(key) = new.key {
            self.responses.send((key, answer.clone())).expect("the task runs");
        }
        answer
    }
}

/// Signs and posts notifications, without a database.
async fn deliver(url: &str, count: u64) {
    let _ = rustls::crypto::ring::default_provider().install_default(); // an error means that it is installed
    let client = reqwest::Client::builder().no_proxy().http1_only().build().expect("a client");
    let (secret, body) = (SigningSecret::generate(&Entropy::system()), Bytes::from(vec![b'x'; 500]));
    let posts = (0..count).map(|_| async {
        let (id, at) = ("evt_01JD0000000000000000000000", 1_732_044_535);
        let signature = webhook::sign([&secret], id, at, &body);
        let request = client.post(url).header("webhook-id", id).header("webhook-timestamp", at.to_string());
        let request = request.header("webhook-signature", signature).header("content-type", "application/json");
        let answer = request.body(body.clone()).send().await.expect("the receiver answers");
        answer.error_for_status().expect("it takes them").bytes().await.expect("the answer ends");
    });
    stream::iter(posts)
        .buffer_unordered(limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION)
        .for_each(async |()| {})
        .await;
}
