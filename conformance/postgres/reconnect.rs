//! Connections that end, or become read-only, while no statement runs on them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio_postgres::{NoTls, SimpleQueryMessage};

use crate::app::{Answer, Database, FreshDatabase, Program, Serving, http_client, run_alone, wait_for};

/// How often connections are ended.
const ROUNDS: usize = 6;
/// The time limit until writes succeed after a database that was read-only, on a busy machine.
const WRITES_WITHIN: Duration = Duration::from_secs(20);

const CREATE: &str = "mutation ($dossier: String!) {
    cardCreate(input: { externalDossierId: $dossier }) { card { id } userErrors { code } }
}";
const UPDATE: &str = "mutation ($id: ID!, $text: String!) {
    cardUpdate(id: $id, input: { externalFuneralDirectorId: $text }) { card { id } userErrors { code } }
}";
const BOTH: &str = "mutation ($dossier: String!, $id: ID!) {
    cardCreate(input: { externalDossierId: $dossier }) { card { id } userErrors { code } }
    cardUpdate(id: $id, input: { livestreamUrl: \"https://live.example/\" }) { card { id } userErrors { code } }
}";

/// A database whose settings a test may change, and the service on it.
struct Own {
    name: String,
    /// A connection to another database of the server.
    maintenance: tokio_postgres::Client,
    serving: Serving,
    token: String,
    /// A card.
    card: String,
}

impl Own {
    async fn start(fresh: &FreshDatabase) -> Self {
        let (url, name) = fresh.postgres().expect("it is PostgreSQL");
        let (maintenance, connection) = tokio_postgres::connect(&url, NoTls).await.expect("PostgreSQL answers");
        tokio::spawn(connection);
        maintenance.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("the role may create databases");
        let mut own = url::Url::parse(&url).expect("an address");
        own.set_path(&name);
        let program = Program::with(own.as_str(), fresh.folder.path()).set("RUST_LOG", "off").create_database();
        let token = program.token("live");
        let serving = program.serve();
        let card = serving.create(&token, json!({ "externalDossierId": "0" })).await;
        Self { name, maintenance, serving, token, card }
    }

    async fn stop(self) {
        assert!(self.serving.terminate());
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        self.maintenance.batch_execute(&drop).await.expect("it is ours");
    }

    /// Changes a setting of new connections.
    async fn alter(&self, change: &str) {
        let alter = format!("ALTER DATABASE {} {change}", self.name);
        self.maintenance.batch_execute(&alter).await.expect("it is ours");
    }

    /// Returns the processes of the service's connections.
    async fn backends(&self) -> BTreeSet<String> {
        let pids = format!("SELECT pid FROM pg_stat_activity WHERE datname = '{}'", self.name);
        let rows = self.maintenance.simple_query(&pids).await.expect("a list");
        let pid = |row: &SimpleQueryMessage| match row {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        };
        rows.iter().filter_map(pid).collect()
    }

    /// Waits until these connections have ended.
    async fn end(&self, backends: &BTreeSet<String>) {
        let is_ended = || async { self.backends().await.is_disjoint(backends).then_some(()) };
        wait_for("the connections end", is_ended).await;
    }

    /// Ends every connection.
    async fn terminate(&self) {
        let backends = self.backends().await;
        let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'", self.name);
        self.maintenance.batch_execute(&end).await.expect("the role may end them");
        self.end(&backends).await;
    }

    async fn ask(&self, key: Option<String>, query: &str, variables: Value) -> Answer {
        let request = http_client()
            .post(format!("{}/partner/api/2026-10/graphql", self.serving.base))
            .header("x-service-access-token", &self.token)
            .json(&json!({ "query": query, "variables": variables }));
        let request = key.iter().fold(request, |request, key| request.header("idempotency-key", key));
        Answer::read(request.send().await.expect("an answer")).await
    }

    /// Sends writes of each kind at once: a plain create, a keyed one, one beside another mutation, and an update.
    async fn write(&self, round: &str) -> Vec<Answer> {
        let (key, dossier) = (|kind| Some(format!("{kind}-{round}")), |kind| format!("{kind}-{round}"));
        let id = &self.card;
        let ask = |key, query, variables| self.ask(key, query, variables);
        join_all([
            ask(None, CREATE, json!({ "dossier": dossier("plain") })),
            ask(key("keyed"), CREATE, json!({ "dossier": dossier("keyed") })),
            ask(key("both"), BOTH, json!({ "dossier": dossier("both"), "id": id })),
            ask(None, UPDATE, json!({ "id": id, "text": round })),
        ])
        .await
    }

    /// Sends reads of each kind at once: on a shared connection, and on one of the pool.
    async fn read(&self) -> Vec<Answer> {
        let card = "query ($id: ID!) { card(id: $id) { id } }";
        let reads = [(card, json!({ "id": self.card })), ("{ themes(first: 1) { nodes { id } } }", json!({}))];
        join_all(reads.map(|(query, variables)| self.ask(None, query, variables))).await
    }
}

#[track_caller]
fn assert_done(answers: &[Answer], when: &str) {
    for answer in answers {
        assert!(answer.status == 200 && answer.json().get("errors").is_none(), "{when}: {}", answer.text());
    }
}

#[test]
fn connections_that_end_while_idle_cost_no_request_an_error() {
    run_alone(Database::Postgres, async |fresh: FreshDatabase| {
        let own = Own::start(&fresh).await;
        for round in 0..ROUNDS {
            own.terminate().await;
            // The first statement after the end is a lookup, or a write.
            let when = format!("round-{round}");
            match round % 2 {
                0 => assert_done(&own.read().await, &when),
                _ => assert_done(&own.write(&when).await, &when),
            }
        }
        own.alter("SET idle_session_timeout = '200ms'").await;
        own.terminate().await;
        for round in 0..ROUNDS {
            let when = format!("idle-{round}");
            assert_done(&own.write(&when).await, &when);
            assert_done(&own.read().await, &when);
            own.end(&own.backends().await).await;
        }
        own.stop().await;
    });
}

#[test]
fn read_only_connections_are_replaced_by_the_first_write() {
    run_alone(Database::Postgres, async |fresh: FreshDatabase| {
        let own = Own::start(&fresh).await;
        own.alter("SET default_transaction_read_only = on").await;
        own.terminate().await;
        for round in 0..ROUNDS {
            assert_done(&own.read().await, "reads go on");
            for refused in own.write(&format!("refused-{round}")).await {
                refused.expect_error(503, "UNAVAILABLE");
            }
            join_all((0..10).map(|_| own.read())).await; // connections that no write has met
        }
        own.alter("RESET default_transaction_read_only").await;
        let reset = Instant::now();
        // More rounds in a row than the pool has connections that are still read-only.
        let (mut rounds, mut well) = (0, 0);
        while well < ROUNDS {
            let answers = own.write(&format!("after-{rounds}")).await;
            rounds += 1;
            well = if answers.iter().all(|answer| answer.status == 200) { well + 1 } else { 0 };
            assert!(reset.elapsed() < WRITES_WITHIN, "writes go on failing: {answers:?}");
        }
        println!("{rounds} rounds in {:?}", reset.elapsed());
        own.stop().await;
    });
}
