//! Tests that the hand-written servers give the same answers as the real one and store the same rows, so that the comparison
//! is honest. `cargo test --test benches`.

#![allow(dead_code)] // what only the bench uses
#![allow(clippy::disallowed_methods)] // as the bench

mod database;
mod handwritten;
mod load;
mod process;
mod workload;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use database::{Database, on_postgres};
use workload::{Workload, masked};

const CARDS: usize = 20;

/// One text for each table of what requests have stored.
const STORED: [&str; 4] = [
    "SELECT count(*) || ' ' || min(deceased_last_name) || min(deceased_date_of_birth) || min(layout) || min(visibility) || \
     min(status) || sum(event_count) || count(*) FILTER (WHERE updated_at = created_at) FROM cards \
     WHERE external_dossier_id LIKE '%Create-%'",
    "SELECT count(*) || ' ' || min(topic) || max(sequence) || min(actor) || min(changed_fields) || \
     count(*) FILTER (WHERE card_id IN (SELECT id FROM cards)) FROM events",
    "SELECT count(*) || ' ' || min(mode) || max(key) || count(*) FILTER (WHERE bound) || sum(length(response)) \
     FROM idempotency_keys",
    "SELECT count(*) || ' ' || min(mode) || max(key) || sum(ordinal) || count(DISTINCT card_id) || max(length(input)) \
     FROM idempotency_cards",
];

#[test]
fn hand_written_sqlite_server_answers_and_stores_as_ours() {
    require_equal(Database::sqlite(CARDS));
}

#[test]
fn hand_written_postgres_server_answers_and_stores_as_ours() {
    let url = std::env::var("TEST_POSTGRES_URL").expect("TEST_POSTGRES_URL is set: bash .ci/postgres start <folder>");
    require_equal(Database::postgres(&url, CARDS, true));
}

fn require_equal(ours: Database) {
    let limit = ours.copy();
    let server = ours.serve();
    let introspect = Workload::Introspection.requests(&ours.token, CARDS)(0);
    let limit_address = serve(&limit, load::once(server.address, &introspect));
    for workload in Workload::ALL {
        for n in 0..2 * CARDS {
            let request = workload.requests(&ours.token, CARDS)(n);
            let answer = |address| masked(workload, &load::once(address, &request));
            let (ours, limit) = (answer(server.address), answer(limit_address));
            assert!(ours.starts_with(workload.answer_start()), "{ours}");
            assert_eq!(ours, limit, "{} {n}", workload.name());
        }
    }
    // The hand-written server stores the responses of keyed requests shortly after its answers.
    let stored = |database: &Database| STORED.map(|sql| text(&database.url, sql));
    let end = Instant::now() + Duration::from_secs(10);
    while stored(&ours) != stored(&limit) && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(stored(&ours), stored(&limit));
    drop(server);
}

/// Starts the hand-written server on a thread, which lives as long as the test's process.
fn serve(database: &Database, introspection: Vec<u8>) -> SocketAddr {
    let (url, partner) = (database.url.clone(), database.partner.parse().expect("an id"));
    let (address, listening) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        handwritten::serve(&url, partner, introspection, |bound| address.send(bound).expect("the test waits"));
    });
    listening.recv().expect("it listens")
}

/// Returns the text that a query finds in a database.
fn text(url: &str, sql: &str) -> String {
    if let Some(path) = url.strip_prefix("sqlite://") {
        let connection = rusqlite::Connection::open(path).expect("the database opens");
        return connection.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    on_postgres(url, async |client| {
        client.query_one(sql, &[]).await.unwrap_or_else(|error| panic!("{sql}: {error:?}")).get(0)
    })
}
