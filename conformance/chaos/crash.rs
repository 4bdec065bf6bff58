//! PostgreSQL ends without writing what it holds in memory (SIGQUIT): an acknowledged outcome stays (decisions, section 4).

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_postgres::NoTls;

use super::cluster::Cluster;
use crate::app::{Answer, Program, Serving, http_client, runtime};

const ROUNDS: usize = 3;
/// The time limit for the service to write again.
const WRITES_WITHIN: Duration = Duration::from_secs(60);

const UPDATE: &str = "mutation ($id: ID!, $text: String!) {
    cardUpdate(id: $id, input: { externalFuneralDirectorId: $text }) { card { id } userErrors { message } }
}";

/// A keyed request that creates a card and changes another one.
async fn create_and_update(serving: &Serving, token: &str, key: &str, id: &str) -> Answer {
    let query = "mutation ($dossier: String!, $id: ID!) {
        x: cardCreate(input: { externalDossierId: $dossier }) { card { id } userErrors { message } }
        y: cardUpdate(id: $id, input: { externalFuneralDirectorId: \"first\" }) { card { id } userErrors { message } }
    }";
    let request = http_client()
        .post(format!("{}/partner/api/2026-10/graphql", serving.base))
        .header("x-service-access-token", token)
        .header("idempotency-key", key)
        .json(&json!({ "query": query, "variables": { "dossier": key, "id": id } }));
    Answer::read(request.send().await.expect("an answer")).await
}

async fn text(serving: &Serving, token: &str, id: &str) -> Value {
    let query = "query ($id: ID!) { card(id: $id) { externalFuneralDirectorId } }";
    serving.data(token, query, json!({ "id": id })).await["card"]["externalFuneralDirectorId"].take()
}

#[test]
fn update_beside_a_create_does_not_run_again_after_a_crash() {
    runtime().block_on(async {
        let folder = TempDir::new().expect("a folder for the test's data");
        let cluster = Cluster::start(folder.path());
        let (client, connection) = tokio_postgres::connect(&cluster.url, NoTls).await.expect("PostgreSQL answers");
        tokio::spawn(connection);
        // What no commit waits for is written after seconds.
        for setting in ["ALTER SYSTEM SET wal_writer_delay = '10s'", "SELECT pg_reload_conf()"] {
            client.batch_execute(setting).await.expect("the role may set it");
        }
        let program =
            Program::with(&cluster.url, &folder.path().join("service")).set("RUST_LOG", "off").create_database();
        let token = program.token("live");
        let serving = program.serve();
        for round in 0..ROUNDS {
            let other = serving.create(&token, json!({ "externalDossierId": format!("other-{round}") })).await;
            let key = format!("key-{round}");
            let first = create_and_update(&serving, &token, &key, &other).await;
            tokio::task::block_in_place(|| cluster.crash());
            assert!(first.status == 200 && first.json().get("errors").is_none(), "{}", first.text());

            tokio::task::block_in_place(|| cluster.resume());
            let started = Instant::now();
            while serving.send(&token, UPDATE, json!({ "id": other, "text": "second" })).await.status != 200 {
                assert!(started.elapsed() < WRITES_WITHIN, "it does not go on by itself");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let again = create_and_update(&serving, &token, &key, &other).await;
            assert_eq!(text(&serving, &token, &other).await, "second", "round {round}: the update ran again");
            assert_eq!(again.header("x-service-idempotent-replay"), Some("true"));
            assert_eq!(again.body, first.body);
        }
        assert!(serving.terminate());
    });
}
