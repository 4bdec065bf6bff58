//! The statements and round trips of a request on PostgreSQL (docs/performance.md, PostgreSQL).

use std::time::Duration;

use serde_json::{Value, json};

use super::recorder::{Recorder, Traffic};
use crate::app::{Database, FreshDatabase, Program, Serving, http_client, run_alone};

/// How often a request is repeated: the workers, and connections that prepare a statement, only add statements.
const REPEATED: usize = 40;

/// The tables that a keyed create searches or adds to, except for themes.
const GROWING: [&str; 5] = ["cards", "events", "idempotency_keys", "partners", "webhook_subscriptions"];

const CREATE: &str = "mutation ($input: CardCreateInput!) {
    cardCreate(input: $input) { card { id } userErrors { code } }
}";

/// A server behind a recorder, with a theme, and the token of a partner.
async fn serving(database: &FreshDatabase) -> (Recorder, Serving, String) {
    let recorder = Recorder::start(&database.url).await;
    let (url, folder) = (recorder.url.clone(), database.folder.path().to_owned());
    let start = move || {
        let program = Program::with(&url, &folder).create_database();
        program.import_themes();
        let token = program.token("live");
        (program.serve(), token)
    };
    let (serving, token) = tokio::task::spawn_blocking(start).await.expect("it starts");
    (recorder, serving, token)
}

/// Creates a card under a new key; returns its id.
async fn create(serving: &Serving, token: &str, dossier: usize) -> String {
    let input = json!({ "externalDossierId": dossier.to_string(), "themeId": "1" });
    let request = http_client()
        .post(format!("{}/partner/api/2026-10/graphql", serving.base))
        .header("x-service-access-token", token)
        .header("idempotency-key", format!("k-{dossier}"))
        .json(&json!({ "query": CREATE, "variables": { "input": input } }));
    let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    answer["data"]["cardCreate"]["card"]["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Returns the first word of each statement and the number of round trips, both of the requests with the fewest statements. The number
/// is the median of these requests: a request may also prepare a statement, which adds a round trip, or run beside a worker, which hides
/// one.
fn least(mut recorded: Vec<Traffic>) -> (Vec<String>, usize) {
    let fewest = recorded.iter().map(|traffic| traffic.statements.len()).min();
    recorded.retain(|traffic| Some(traffic.statements.len()) == fewest);
    recorded.sort_by_key(|traffic| traffic.round_trips);
    let Traffic { statements, round_trips, .. } = recorded.swap_remove(recorded.len() / 2);
    let word = |text: &String| text.split_whitespace().next().unwrap_or_default().to_owned();
    (statements.iter().map(word).collect(), round_trips)
}

#[test]
fn keyed_create_takes_five_round_trips_and_a_read_takes_one() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let (recorder, serving, token) = serving(&database).await;
        let (mut created, mut read) = (Vec::new(), Vec::new());
        for dossier in 0..REPEATED {
            recorder.take();
            let id = create(&serving, &token, dossier).await;
            created.push(recorder.take_with("UPDATE \"idempotency_keys\"").await);
            serving.data(&token, "query ($id: ID!) { card(id: $id) { id status } }", json!({ "id": id })).await;
            read.push(recorder.take());
        }
        // The key; the theme; the subscriptions; the event, the card and the claim; the outcome.
        let statements = ["SELECT", "SELECT", "SELECT", "WITH", "UPDATE"].map(str::to_owned);
        assert_eq!(least(created), (statements.to_vec(), 5));
        assert_eq!(least(read), (vec!["SELECT".to_owned()], 1));
        assert!(serving.terminate());
    });
}

#[test]
fn plans_of_a_connection_never_scan_a_table_that_grows() {
    run_alone(Database::Postgres, async |database: FreshDatabase| {
        let (_recorder, serving, token) = serving(&database).await;
        // Statements are planned while their tables are empty, and known to be.
        crate::app::tamper(&database.url, &format!("ANALYZE {}", GROWING.join(", "))).await;
        for dossier in 0..REPEATED {
            let id = create(&serving, &token, dossier).await;
            serving.data(&token, "query ($id: ID!) { card(id: $id) { id } }", json!({ "id": id })).await;
        }
        let scanned = scanned(&database).await;
        assert!(scanned.is_empty(), "read as a whole: {scanned:?}");
        assert!(serving.terminate());
    });
}

/// Returns the tables of [`GROWING`] that a sequential scan has read rows of, and how many.
async fn scanned(database: &FreshDatabase) -> Vec<(String, i64)> {
    let (server, schema) = database.postgres().expect("a schema");
    let (client, connection) =
        tokio_postgres::connect(&server, tokio_postgres::NoTls).await.expect("PostgreSQL answers");
    tokio::spawn(connection);
    // A connection reports what it did when it is used again, or idle for ten seconds.
    let reported = "SELECT coalesce(sum(n_tup_ins), 0)::bigint FROM pg_stat_user_tables
                    WHERE schemaname = $1 AND relname = 'idempotency_keys'";
    let began = std::time::Instant::now();
    while client.query_one(reported, &[&schema]).await.expect("the counters are read").get::<_, i64>(0)
        < REPEATED as i64
    {
        assert!(began.elapsed() < Duration::from_secs(30), "the counters do not arrive");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let query = "SELECT relname::text, seq_tup_read FROM pg_stat_user_tables
                 WHERE schemaname = $1 AND seq_tup_read > 0 AND relname = ANY ($2)";
    let rows = client.query(query, &[&schema, &&GROWING[..]]).await.expect("the counters are read");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}
