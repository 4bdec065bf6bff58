//! The limits to measure against, built in the same run: a hyper server that answers a constant, and hand-written handlers over
//! rusqlite that run the same SQL on the same database and write the same JSON, without any GraphQL.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rusqlite::types::Null;
use rusqlite::{Connection, OptionalExtension};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};

/// Serves until the process is stopped; prints its address on one line, as the real server does.
fn serve<F, R>(handle: F)
where
    F: Fn(Bytes) -> R + Clone + Send + 'static,
    R: Future<Output = Vec<u8>> + Send,
{
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address: SocketAddr = listener.local_addr().expect("bound");
        println!("listening on http://{address}");
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            stream.set_nodelay(true).expect("a socket option");
            let handle = handle.clone();
            let service = service_fn(move |request: Request<Incoming>| {
                let handle = handle.clone();
                async move {
                    let body = request.into_body().collect().await.expect("a body").to_bytes();
                    let answer = handle(body).await;
                    Ok::<_, Infallible>(
                        Response::builder()
                            .header("content-type", "application/json; charset=utf-8")
                            .header("cache-control", "no-store")
                            .body(Full::new(Bytes::from(answer)))
                            .expect("a response"),
                    )
                }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
}

/// Answers every request with the same bytes.
pub(crate) fn constant(bytes: usize) {
    let body = format!("{{\"data\":\"{}\"}}", "x".repeat(bytes.saturating_sub(11)));
    serve(move |_| {
        let body = body.clone().into_bytes();
        async move { body }
    });
}

fn connect(database: &Path) -> Connection {
    let connection = Connection::open(database).expect("the database that the real server made");
    connection
        .execute_batch(
            "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456;",
        )
        .expect("pragmas");
    connection
}

#[derive(Deserialize)]
struct ReadRequest<'a> {
    #[serde(borrow)]
    variables: ReadVariables<'a>,
}

#[derive(Deserialize)]
struct ReadVariables<'a> {
    id: &'a str,
}

/// The read-card query by hand: parse the body, one SELECT by id and partner, write the JSON.
pub(crate) fn read_card(database: &Path, partner: uuid::Uuid) {
    let connection = Arc::new(Mutex::new(connect(database)));
    serve(move |body| {
        let connection = connection.clone();
        async move {
            let request: ReadRequest<'_> = serde_json::from_slice(&body).expect("our own request");
            let id = uuid::Uuid::parse_str(&request.variables.id["gid://service/Card/".len()..]).expect("our own id");
            let connection = connection.lock().expect("one thread");
            let mut select = connection.prepare_cached(READ).expect("the same SQL");
            select
                .query_row((&id.as_bytes()[..], &partner.as_bytes()[..]), |row| Ok(card_json(&id, row)))
                .optional()
                .expect("a read")
                .unwrap_or_else(|| b"{\"data\":{\"card\":null}}".to_vec())
        }
    });
}

/// The columns the server reads, in its order.
const READ: &str = "SELECT id, partner_id, external_dossier_id, external_funeral_director_id, theme_id, deceased_first_name, \
    deceased_last_name, deceased_date_of_birth, deceased_date_of_death, deceased_photo_key, livestream_url, family_contact_name, \
    family_contact_email, layout, visibility, memorial_text, status, slug, test, created_at, updated_at, event_count, \
    ordered_at, activated_at FROM cards WHERE id = ?1 AND partner_id = ?2";

fn card_json(id: &uuid::Uuid, row: &rusqlite::Row<'_>) -> Vec<u8> {
    let text = |i: usize| row.get_ref(i).ok().and_then(|v| v.as_str_or_null().ok().flatten().map(str::to_owned));
    let moment = |i: usize| {
        let ms: i64 = row.get(i).expect("a moment");
        chrono::DateTime::from_timestamp_millis(ms).expect("in range").format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
    };
    let json = |value: Option<String>| serde_json::to_string(&value).expect("text");
    format!(
        "{{\"data\":{{\"card\":{{\"id\":\"gid://service/Card/{id}\",\"externalDossierId\":{},\
         \"externalFuneralDirectorId\":{},\"deceased\":{{\"firstName\":{},\"lastName\":{},\"dateOfBirth\":{},\
         \"dateOfDeath\":{}}},\"livestreamUrl\":{},\"familyContact\":{{\"name\":{},\"email\":{}}},\"status\":{},\
         \"cardUrl\":null,\"test\":{},\"createdAt\":\"{}\",\"updatedAt\":\"{}\"}}}}}}",
        json(text(2)),
        json(text(3)),
        json(text(5)),
        json(text(6)),
        json(text(7)),
        json(text(8)),
        json(text(10)),
        json(text(11)),
        json(text(12)),
        json(text(16)),
        row.get::<_, i64>(18).expect("a flag") == 1,
        moment(19),
        moment(20),
    )
    .into_bytes()
}

#[derive(Deserialize)]
struct CreateRequest {
    variables: CreateVariables,
}

#[derive(Deserialize)]
struct CreateVariables {
    input: CreateInput,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateInput {
    external_dossier_id: String,
    deceased: CreateDeceased,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateDeceased {
    first_name: String,
    last_name: String,
    date_of_birth: String,
}

type Job = (CreateInput, oneshot::Sender<Vec<u8>>);

/// Creating a card by hand: the same inserts, one writer thread with the same group commit, `synchronous=FULL`. A savepoint
/// isolates each unit; the server repeats its batch instead when a unit fails.
pub(crate) fn create_card(database: &Path, partner: uuid::Uuid) {
    let connection = connect(database);
    connection.execute_batch("PRAGMA synchronous = FULL;").expect("a pragma");
    let (jobs, queue) = mpsc::channel::<Job>(1024);
    std::thread::spawn(move || write_loop(&connection, partner, queue));
    serve(move |body| {
        let jobs = jobs.clone();
        async move {
            let request: CreateRequest = serde_json::from_slice(&body).expect("our own request");
            let (answer, done) = oneshot::channel();
            jobs.send((request.variables.input, answer)).await.expect("the writer runs");
            done.await.expect("the writer answers")
        }
    });
}

fn write_loop(connection: &Connection, partner: uuid::Uuid, mut queue: mpsc::Receiver<Job>) {
    while let Some(first) = queue.blocking_recv() {
        connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
        let mut answers = Vec::new();
        let mut next = Some(first);
        while let Some((input, answer)) = next {
            connection.prepare_cached("SAVEPOINT job").expect("SQL").execute(()).expect("a savepoint");
            answers.push((insert(connection, partner, &input), answer));
            connection.prepare_cached("RELEASE job").expect("SQL").execute(()).expect("a release");
            next = if answers.len() < 64 { queue.try_recv().ok() } else { None };
        }
        connection.execute_batch("COMMIT").expect("a commit");
        for (json, answer) in answers {
            let _ = answer.send(json);
        }
    }
}

/// The columns the server writes, in its order.
const INSERT_CARD: &str = "INSERT INTO cards (id, partner_id, external_dossier_id, test, created_at, \
    external_funeral_director_id, theme_id, deceased_first_name, deceased_last_name, deceased_date_of_birth, \
    deceased_date_of_death, deceased_photo_key, livestream_url, family_contact_name, family_contact_email, layout, visibility, \
    memorial_text, status, slug, updated_at, event_count, ordered_at, activated_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24) \
    ON CONFLICT (partner_id, external_dossier_id) DO NOTHING";
const FOLLOWERS: &str = "SELECT id, api_version FROM webhook_subscriptions WHERE partner_id = ?1 AND topic = ?2";
const INSERT_EVENT: &str = "INSERT INTO events (id, partner_id, card_id, topic, sequence, actor, changed_fields, test, \
    occurred_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

/// Inserts the card and its event as the server does; returns the JSON of the payload.
fn insert(connection: &Connection, partner: uuid::Uuid, input: &CreateInput) -> Vec<u8> {
    let now = chrono::DateTime::from(std::time::UNIX_EPOCH + std::time::UNIX_EPOCH.elapsed().expect("after 1970"));
    let now: chrono::DateTime<chrono::Utc> = now;
    let ms = now.timestamp_millis();
    let random = || {
        let mut bytes = [0; 10];
        getrandom::fill(&mut bytes).expect("random bytes");
        uuid::Builder::from_unix_timestamp_millis(u64::try_from(ms).expect("after 1970"), &bytes).into_uuid()
    };
    let (id, event) = (random(), random());
    let dossier = serde_json::to_string(&input.external_dossier_id).expect("text");
    let inserted = connection
        .prepare_cached(INSERT_CARD)
        .expect("the same SQL")
        .execute(rusqlite::params![
            &id.as_bytes()[..],
            &partner.as_bytes()[..],
            &input.external_dossier_id,
            false,
            ms,
            Null,
            Null,
            &input.deceased.first_name,
            &input.deceased.last_name,
            &input.deceased.date_of_birth,
            Null,
            Null,
            Null,
            Null,
            Null,
            "PORTRAIT",
            "OPEN",
            Null,
            "DRAFT",
            Null,
            ms,
            1,
            Null,
            Null
        ])
        .expect("an insert");
    assert_eq!(inserted, 1, "every dossier number is new");
    let followers: Vec<(Vec<u8>, String)> = connection
        .prepare_cached(FOLLOWERS)
        .expect("the same SQL")
        .query_map((&partner.as_bytes()[..], "CARDS_CREATE"), |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .expect("a read");
    assert!(followers.is_empty(), "the bench subscribes to nothing");
    connection
        .prepare_cached(INSERT_EVENT)
        .expect("the same SQL")
        .execute((
            &event.as_bytes()[..],
            &partner.as_bytes()[..],
            &id.as_bytes()[..],
            "CARDS_CREATE",
            1,
            "PARTNER",
            "[]",
            false,
            ms,
        ))
        .expect("an insert");
    format!(
        "{{\"data\":{{\"cardCreate\":{{\"card\":{{\"id\":\"gid://service/Card/{id}\",\"externalDossierId\":{dossier},\
         \"status\":\"DRAFT\",\"test\":false,\"createdAt\":\"{}\"}},\"userErrors\":[]}}}}}}",
        now.format("%Y-%m-%dT%H:%M:%S%.3fZ")
    )
    .into_bytes()
}
